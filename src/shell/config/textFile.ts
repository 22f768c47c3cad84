/** Reading the small text files that the environment names, at the start and therefore at once. */
import { readFileSync } from "node:fs";
import * as E from "fp-ts/lib/Either.js";

/** The text of a UTF-8 file without its byte-order mark, or why it cannot be had. */
export type ReadText = (path: string) => E.Either<string, string>;

const reason = (error: unknown): string => {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return "it is not UTF-8";
};

export const readTextFile: ReadText = (path) =>
  E.tryCatch(() => new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)), reason);
