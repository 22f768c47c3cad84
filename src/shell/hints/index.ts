/** What project files add to a session: AGENTS.md texts and a list of skills for the system prompt, and the tool that reads skills. */
import type { ShellLimits } from "../../core/policy.js";
import { oneLine } from "../../core/text.js";
import type { BuiltInTool } from "../mcp/port.js";
import { agentsText, projectRoot } from "./agentsFiles.js";
import type { Skill } from "./readSkills.js";
import { findSkills } from "./skills.js";

export interface Hints {
  /** Follows the system prompt; "" when there is nothing. */
  readonly text: string;
  readonly builtIns: readonly BuiltInTool[];
}

const DESCRIPTION_BYTES_MAX = 1024;

/** `cwd` is absolute. Without a `home` there is no global layer. Never rejects: what cannot be read is not there. */
export const readHints = async (cwd: string, home: string | undefined, limits: ShellLimits): Promise<Hints> => {
  const root = projectRoot(cwd);
  const [project, skills] = await Promise.all([
    agentsText(cwd, root, home, limits.hintsBytesMax),
    findSkills(cwd, root, home, limits),
  ]);
  const sections = [
    ...(project === "" ? [] : [`## Project Hints\n\n${project}`]),
    ...(skills.length === 0 ? [] : [`## Available Skills\n\n${skillsText(skills)}`]),
  ];
  return {
    text: sections.length === 0 ? "" : ["# Additional Instructions", ...sections].join("\n\n"),
    builtIns: skills.length === 0 ? [] : [(await import("./loadSkill.js")).loadSkillTool(skills, limits)],
  };
};

const skillsText = (skills: readonly Skill[]): string => {
  const lines = skills.map(({ name, description }) => {
    const words = oneLine(description, DESCRIPTION_BYTES_MAX);
    return `- ${name}${words === "" ? "" : `: ${words}`}`;
  });
  return `${lines.join("\n")}\n\nBefore you do what a skill is for, call load_skill with its name and follow what it says.`;
};
