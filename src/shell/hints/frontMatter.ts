/** `SKILL.md`: a YAML map between two lines of three dashes, then the body. */

export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/;

/** Undefined if it does not begin with a map that has a name. `text` has LF line ends. */
export const parseSkill = async (text: string): Promise<SkillText | undefined> => {
  const [whole = "", yaml = ""] = FRONT_MATTER.exec(text) ?? [];
  const fields = whole === "" ? undefined : await parseYaml(yaml);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return undefined;
  const name = field(fields, "name");
  return name === "" ? undefined : { name, description: field(fields, "description"), body: text.slice(whole.length) };
};

const field = (fields: object, key: "name" | "description"): string => {
  const value: unknown = Object.hasOwn(fields, key) ? Object.entries(fields).find(([name]) => name === key)?.[1] : "";
  return typeof value === "string" ? value.trim() : "";
};

const parseYaml = async (yaml: string): Promise<unknown> => {
  // Read when there is a skill, not before: most sessions have none.
  const { parse } = await import("yaml");
  try {
    // Silent: the library would print its warnings. Few aliases: they can be made to stand for gigabytes.
    return parse(yaml, { logLevel: "silent", maxAliasCount: 10, prettyErrors: false });
  } catch {
    return undefined;
  }
};
