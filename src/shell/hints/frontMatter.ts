/** `SKILL.md`: a YAML map between two lines of three dashes, then the body. */

import type { Lexer, Parser } from "yaml";
import { oneLine, utf8Bytes } from "../../core/text.js";

export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

const NAME_BYTES_MAX = 256;
/** Of the YAML alone. Its reader takes time that grows faster than what it reads. */
const YAML_BYTES_MAX = 8 * 1024;
/** Its reader descends by recursion, and at the end of the stack it takes the whole process along. */
const YAML_DEPTH_MAX = 32;

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;

/** What stands behind the map. `text` has LF line ends. */
export const skillBody = (text: string): string => text.replace(FRONT_MATTER, "");

/** Undefined if the text does not begin with a map that has a name. `text` has LF line ends. */
export const parseSkill = async (text: string): Promise<SkillHead | undefined> => {
  const yaml = FRONT_MATTER.exec(text)?.[1];
  const fields = yaml === undefined || utf8Bytes(yaml) > YAML_BYTES_MAX ? undefined : await parseYaml(yaml);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return undefined;
  // What the model reads in the list is what it has to ask for.
  const name = oneLine(field(fields, "name"), NAME_BYTES_MAX);
  return name === "" ? undefined : { name, description: field(fields, "description") };
};

const field = (fields: object, key: "name" | "description"): string => {
  const value: unknown = Object.hasOwn(fields, key) ? Object.entries(fields).find(([name]) => name === key)?.[1] : "";
  return typeof value === "string" ? value.trim() : "";
};

const parseYaml = async (yaml: string): Promise<unknown> => {
  // Read when there is a skill, not before: most sessions have none.
  const { parse, Lexer, Parser } = await import("yaml");
  try {
    if (!isShallow(yaml, new Lexer(), new Parser())) return undefined;
    // Silent: the library would print its warnings. Few aliases: they can be made to stand for gigabytes.
    return parse(yaml, { logLevel: "silent", maxAliasCount: 10, prettyErrors: false });
  } catch {
    return undefined;
  }
};

/** Of what is still to be built, the parser keeps a stack of its own, which grows without recursion. */
const isShallow = (yaml: string, lexer: Lexer, parser: Parser): boolean => {
  for (const lexeme of lexer.lex(yaml)) {
    for (const { type } of parser.next(lexeme)) if (type === "error") return false;
    if (parser.stack.length > YAML_DEPTH_MAX) return false;
  }
  return true;
};
