/** Reading the small files that the environment names, at the start and therefore at once. */
import { readFileSync } from "node:fs";
import * as E from "fp-ts/lib/Either.js";

/** The bytes of a file, or why they cannot be had. */
export type ReadFile = (path: string) => E.Either<string, Uint8Array>;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error);

export const readFile: ReadFile = (path) => E.tryCatch(() => readFileSync(path), codeOf);

/** The text without its byte-order mark. */
export const utf8 = (bytes: Uint8Array): E.Either<string, string> =>
  E.tryCatch(
    () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    () => "it is not UTF-8",
  );
