/** Reading the skills of the places that are there. */
import path from "node:path";
import type { ShellLimits } from "../../core/policy.js";
import { opendir } from "../fileCalls.js";
import { insideTree, readText, realDirectory } from "./files.js";
import { parseSkill } from "./frontMatter.js";

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Real path of its directory. */
  readonly directory: string;
  /** Supporting files, relative to it, with `/`, sorted. */
  readonly files: readonly string[];
}

/** A directory of skills, and the tree out of which none may lead. */
export interface Place {
  readonly folder: string;
  readonly tree: string;
}

export const SKILL_FILE = "SKILL.md";

/** Front matter and body; more of a file than could ever be shown. */
export const SKILL_FILE_BYTES_MAX = 256 * 1024;

const DEPTH_MAX = 16;

/** The first skill of a name counts. A directory that leads out of the project, or out of the home, is no skill (F80). */
export const readSkills = async (places: readonly Place[], limits: ShellLimits): Promise<readonly Skill[]> => {
  const byName = new Map<string, Skill>();
  const look: Look = { entriesLeft: limits.maxSkillEntries };
  for (const { folder, tree } of places) {
    for (const name of await namesIn(folder, look)) {
      if (byName.size >= limits.maxSkills) break;
      const skill = await readSkill(path.join(folder, name), tree, limits.maxSkillFiles, look);
      if (skill !== undefined && !byName.has(skill.name)) byName.set(skill.name, skill);
    }
  }
  return [...byName.values()];
};

/** What is left of all that may be looked at: a folder of a million others would hold the session up for minutes. */
interface Look {
  entriesLeft: number;
}

/** A name with a line end in it could add to the list in which it stands. */
const BREAKS_LINES = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const namesIn = async (folder: string, look: Look): Promise<readonly string[]> => {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      if (look.entriesLeft <= 0) break;
      look.entriesLeft -= 1;
      if (!BREAKS_LINES.test(name)) names.push(name);
    }
  } catch {
    // Not there, or gone in between.
  }
  return names.toSorted();
};

const readSkill = async (folder: string, tree: string, filesMax: number, look: Look): Promise<Skill | undefined> => {
  const realTree = await realDirectory(tree);
  const real = realTree === undefined ? undefined : await insideTree(folder, realTree);
  const main = real === undefined ? undefined : await insideTree(path.join(real, SKILL_FILE), real);
  const text = main === undefined ? undefined : await readText(main, SKILL_FILE_BYTES_MAX);
  const parsed = text === undefined ? undefined : await parseSkill(text);
  if (real === undefined || parsed === undefined) return undefined;
  const { name, description } = parsed;
  const files: string[] = [];
  await collectFiles({ directory: real, files, filesMax, look, seen: new Set([real]) }, "", 0);
  return { name, description, directory: real, files: files.toSorted() };
};

interface Collection {
  readonly directory: string;
  readonly files: string[];
  readonly filesMax: number;
  readonly look: Look;
  /** Real paths of the folders so far: links can make a tree endless. */
  readonly seen: Set<string>;
}

/** Folders with a `SKILL.md` of their own are other skills. What leads out of the skill is passed over. */
const collectFiles = async (into: Collection, folder: string, depth: number): Promise<void> => {
  const names = await namesIn(path.join(into.directory, folder), into.look);
  if (depth > DEPTH_MAX || (depth > 0 && names.includes(SKILL_FILE))) return;
  for (const name of names) {
    if (into.files.length >= into.filesMax) return;
    const relative = folder === "" ? name : `${folder}/${name}`;
    const real = await insideTree(path.join(into.directory, relative), into.directory);
    if (real === undefined || name === SKILL_FILE) continue;
    if ((await realDirectory(real)) === undefined) into.files.push(relative);
    else if (!into.seen.has(real)) {
      into.seen.add(real);
      await collectFiles(into, relative, depth + 1);
    }
  }
};
