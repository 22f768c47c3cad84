/** One Markdown file as a remembered text with its date. */
import { clampText } from "../../../core/text.js";
import { recordDate } from "./dates.js";

export interface Note {
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const FRONT_MATTER = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const MEMBER = /^([\w-]+)[ \t]*:[ \t]*(\S.*)$/;

/** Members of the first level that stand on one line, which is where a date stands. */
const frontMatter = (yaml: string): Record<string, string> =>
  Object.fromEntries(
    yaml.split("\n").flatMap((line) => {
      const [, name = "", value = ""] = MEMBER.exec(line) ?? [];
      return name === "" ? [] : [[name, value] as const];
    }),
  );

/**
 * `name` is the file's without its ending: for many notes it is the only title they have, so it is said unless the text
 * begins with a heading. Without a date of its own a note is as old as its file.
 */
export const readNote = (name: string, file: string, fileAt: number, bytesMax: number): Note => {
  const text = file.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [whole = "", yaml = ""] = FRONT_MATTER.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  const titled = body.startsWith("#") ? body : `${name}\n${body}`.trim();
  return {
    content: clampText(titled, bytesMax, "\n[the rest is left out]"),
    at: recordDate(frontMatter(yaml)) ?? fileAt,
  };
};
