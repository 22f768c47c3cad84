/** A folder of Markdown notes, with the folders in it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { utf8Bytes } from "../../../core/text.js";
import { hoursSince } from "./dates.js";
import { readNote, type Note } from "./note.js";
import type { Store, StoreLimits } from "./store.js";
import { createTextIndex } from "./textIndex.js";

interface NoteFile {
  /** From the folder on. */
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
}

interface Known {
  readonly file: NoteFile;
  readonly note: Note;
  readonly bytes: number;
}

const MARKDOWN = /\.(?:md|markdown)$/i;

/** Hidden folders hold the tools' own things; links are not followed, they may lead anywhere and round in circles. */
const noteFiles = (folder: string): readonly NoteFile[] => {
  const found: NoteFile[] = [];
  const visit = (inside: string): void => {
    for (const entry of readdirSync(path.join(folder, inside), { withFileTypes: true })) {
      if (entry.name.startsWith(".")) continue;
      const name = path.join(inside, entry.name);
      if (entry.isDirectory()) visitIfThere(name);
      if (!entry.isFile() || !MARKDOWN.test(entry.name)) continue;
      const stats = statSync(path.join(folder, name), { throwIfNoEntry: false });
      if (stats !== undefined) found.push({ name, at: stats.mtimeMs, bytes: stats.size });
    }
  };
  /** What is in the folder may vanish or be closed to us; the folder itself may not. */
  const visitIfThere = (inside: string): void => {
    try {
      visit(inside);
    } catch {
      // Nothing in there can be recalled now.
    }
  };
  visit("");
  return found;
};

const sameFile = (a: NoteFile, b: NoteFile): boolean => a.at === b.at && a.bytes === b.bytes;

export const openNotesFolder = (folder: string, limits: StoreLimits): Store => {
  const index = createTextIndex(limits.queryWordsMax);
  const known = new Map<string, Known>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;

  const forget = (name: string): void => {
    known.delete(name);
    index.drop(name);
  };

  /** The bytes it takes, or undefined for a file that cannot be read. */
  const learn = (file: NoteFile): number | undefined => {
    const before = known.get(file.name);
    if (before !== undefined && sameFile(before.file, file)) return before.bytes;
    try {
      const text = readFileSync(path.join(folder, file.name), "utf8");
      const title = path.basename(file.name).replace(MARKDOWN, "");
      const note = readNote(title, text, file.at, limits.noteBytesMax);
      const bytes = utf8Bytes(note.content);
      known.set(file.name, { file, note, bytes });
      index.put(file.name, note.content);
      return bytes;
    } catch {
      return undefined;
    }
  };

  /** The newest first, as far as the limit reaches. */
  const look = (): void => {
    const files = noteFiles(folder).toSorted((a, b) => b.at - a.at);
    const there = new Set<string>();
    let bytes = 0;
    for (const file of files) {
      if (bytes + Math.min(file.bytes, limits.noteBytesMax) > limits.textBytesMax) break;
      const taken = learn(file);
      if (taken === undefined) continue;
      bytes += taken;
      there.add(file.name);
    }
    for (const name of known.keys()) if (!there.has(name)) forget(name);
    leftOut = files.length - there.size;
  };

  const refresh = (): void => {
    const now = performance.now();
    if (now - lookedAt < limits.freshMs) return;
    look();
    lookedAt = now;
  };

  refresh();
  return {
    recall: (query, k, now) => {
      refresh();
      return index.search(query, k).flatMap(({ id, similarity }) => {
        const note = known.get(id)?.note;
        return note === undefined ? [] : [{ content: note.content, similarity, ageHours: hoursSince(note.at, now) }];
      });
    },
    report: () => ({ kind: "notes", texts: known.size, leftOut }),
    close: () => undefined,
  };
};
