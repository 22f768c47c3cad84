/** The built-in `load_skill`: bodies and files of skills are read when the model asks for them, never before. */
import path from "node:path";
import { isLeft } from "fp-ts/lib/Either.js";
import type { ToolOutcome } from "../../core/event.js";
import { member, parseJson, stringifyJson } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import { clampText, oneLine, utf8Bytes } from "../../core/text.js";
import type { BuiltInTool } from "../mcp/port.js";
import { insideTree, readText } from "./files.js";
import { skillBody } from "./frontMatter.js";
import { SKILL_FILE, SKILL_FILE_BYTES_MAX, type Skill } from "./readSkills.js";

const MARK = "\n[truncated]";
const SHOWN_BYTES = 256;

const SCHEMA = stringifyJson({
  type: "object",
  properties: {
    name: { type: "string", description: "A skill's name, or <name>/<path> for one of its supporting files." },
  },
  required: ["name"],
});

export const loadSkillTool = (skills: readonly Skill[], limits: ShellLimits): BuiltInTool => ({
  tool: {
    name: "load_skill",
    description: "Reads a skill: its instructions, or one of its supporting files.",
    schema: SCHEMA,
    readOnly: true,
    builtIn: true,
  },
  run: async (argumentsText) => {
    const parsed = parseJson(argumentsText);
    const name = isLeft(parsed) ? undefined : member(parsed.right, "name");
    if (typeof name !== "string" || name === "") return failed("load_skill needs a name");
    return load(skills, name, limits.skillTextBytesMax);
  },
});

const load = async (skills: readonly Skill[], name: string, bytesMax: number): Promise<ToolOutcome> => {
  const skill = skills.find((each) => each.name === name);
  if (skill !== undefined) return loadBody(skill, bytesMax);
  const owner = skills.find((each) => name.startsWith(`${each.name}/`));
  if (owner !== undefined) return loadFile(owner, name.slice(owner.name.length + 1), bytesMax);
  const known = skills.map((each) => each.name).join(", ");
  return failed(
    `unknown skill: ${oneLine(name, SHOWN_BYTES)}. ${known === "" ? "There are none." : `There are: ${known}`}`,
  );
};

/** The list of files is kept whole where it fits, for without it the body's references lead nowhere; so the body is cut. */
const loadBody = async (skill: Skill, bytesMax: number): Promise<ToolOutcome> => {
  const text = await read(skill, SKILL_FILE, SKILL_FILE_BYTES_MAX);
  if (text === undefined) return failed(`skill ${skill.name} cannot be read any more`);
  const files = clampText(filesText(skill), bytesMax / 2, MARK);
  const body = clampText(skillBody(text).trim(), bytesMax - utf8Bytes(files), MARK);
  return shown(body + files);
};

const filesText = (skill: Skill): string => {
  if (skill.files.length === 0) return "";
  const lines = skill.files.map((file) => `- ${file}: load_skill with name ${stringifyJson(`${skill.name}/${file}`)}`);
  return `\n\n## Supporting Files\n\n${lines.join("\n")}`;
};

const loadFile = async (skill: Skill, asked: string, bytesMax: number): Promise<ToolOutcome> => {
  const file = asked.replaceAll("\\", "/");
  // Only what was listed: a path of the model's own making never reaches the file system.
  if (!skill.files.includes(file)) {
    const known = skill.files.length === 0 ? "It has none." : `It has: ${skill.files.join(", ")}`;
    return failed(`skill ${skill.name} has no file ${oneLine(file, SHOWN_BYTES)}. ${known}`);
  }
  const text = await read(skill, file, bytesMax);
  if (text === undefined) return failed(`${file} of skill ${skill.name} is no text or cannot be read`);
  const head = `# Loaded: ${oneLine(`${skill.name}/${file}`, SHOWN_BYTES)}\n\n`;
  const foot = "\n\n[end of file]";
  return shown(head + clampText(text, bytesMax - utf8Bytes(head + foot), MARK) + foot);
};

/** The link may have been changed since it was listed, so it is followed and judged anew. */
const read = async (skill: Skill, file: string, bytesMax: number): Promise<string | undefined> => {
  const real = await insideTree(path.join(skill.directory, file), skill.directory);
  return real === undefined ? undefined : readText(real, bytesMax);
};

const shown = (text: string): ToolOutcome => ({ kind: "result", parts: [{ kind: "text", text }], isError: false });

const failed = (text: string): ToolOutcome => ({ kind: "result", parts: [{ kind: "text", text }], isError: true });
