/** The AGENTS.md files that hold for a directory: the home's, then from the root of the repository down to it. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { clampText, isBlank, utf8Bytes } from "../../core/text.js";
import { insideTree, readText, realDirectory } from "./files.js";

const NAME = "AGENTS.md";

/** The nearest ancestor, the directory itself included, that holds `.git` (a directory, or a file in a worktree); else itself. */
export const projectRoot = (directory: string): string => {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return directory;
  }
};

/** Directories from `root` down to `directory`, both included. */
const chain = (root: string, directory: string): readonly string[] =>
  directory === root ? [root] : [...chain(root, dirname(directory)), directory];

interface Found {
  readonly file: string;
  readonly text: string;
}

const find = async (directory: string, tree: string, bytesMax: number): Promise<readonly Found[]> => {
  const file = join(directory, NAME);
  // Most directories have none, and then nothing else is asked.
  if (!existsSync(file)) return [];
  const realTree = await realDirectory(tree);
  const real = realTree === undefined ? undefined : await insideTree(file, realTree);
  const text = real === undefined ? undefined : await readText(real, bytesMax);
  return text === undefined || isBlank(text) ? [] : [{ file, text }];
};

/**
 * All of them as one text of at most `bytesMax` bytes, or "". The farthest comes first and is cut first, since the nearest knows
 * best. Each is headed by where it comes from and how long it is, so that its content cannot pass for anything else.
 */
export const agentsText = async (
  cwd: string,
  root: string,
  home: string | undefined,
  bytesMax: number,
): Promise<string> => {
  const directories = chain(root, cwd);
  const isThere = home === undefined || directories.includes(resolve(home));
  const homes = isThere ? [] : [{ directory: home, tree: home }];
  const places = [...homes, ...directories.map((directory) => ({ directory, tree: root }))];
  const found = await Promise.all(places.map(({ directory, tree }) => find(directory, tree, bytesMax)));
  let room = bytesMax;
  const sections: string[] = [];
  for (const { file, text } of found.flat().toReversed()) {
    const section = clampText(`From ${file} (${utf8Bytes(text)} bytes):\n\n${text.trimEnd()}`, room, "\n[truncated]");
    if (section === "") break;
    sections.unshift(section);
    room -= utf8Bytes(section) + 2;
    if (room <= 0) break;
  }
  return sections.join("\n\n");
};
