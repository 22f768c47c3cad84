/** The command line of `turnfold memory`. */
import { homedir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { badArguments } from "../cli/badArguments.js";

export type MemoryOptions =
  | { readonly kind: "help" }
  | {
      readonly kind: "serve";
      /** An absolute path. */
      readonly store: string;
      /** Full-text table of a SQLite store, or "". */
      readonly table: string;
      readonly topK: number;
    };

export const MEMORY_USAGE = "usage: turnfold memory --store PATH [--top-k N] [--table NAME] [acp]";

const TOP_K_DEFAULT = 5;

const parse = (argv: readonly string[]) =>
  parseArgs({
    args: [...argv],
    options: {
      store: { type: "string" },
      table: { type: "string", default: "" },
      "top-k": { type: "string", default: String(TOP_K_DEFAULT) },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });

/** A harness's definition knows no shell that would do this. */
const expanded = (store: string): string =>
  path.resolve(store === "~" || store.startsWith("~/") ? path.join(homedir(), store.slice(1)) : store);

/** `fallbackStore` is the environment's, or "". Left: one line that names what is wrong. */
export const readMemoryOptions = (argv: readonly string[], fallbackStore: string): Either<string, MemoryOptions> => {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (fault) {
    return left(badArguments(fault));
  }
  const { values, positionals } = parsed;
  if (values.help) return right({ kind: "help" });
  // Harnesses put this word behind every command that they do not know (`spec/memory-agent-and-harness.md` 2.5).
  const unknown = positionals.find((word) => word.toLowerCase() !== "acp");
  if (unknown !== undefined) return left(`unknown argument ${JSON.stringify(unknown)}`);
  const topK = /^[0-9]{1,6}$/.test(values["top-k"]) ? Number(values["top-k"]) : 0;
  if (topK === 0) return left("--top-k takes a whole number, 1 or more");
  const store = (values.store ?? "").trim() || fallbackStore;
  if (store === "") return left("there is no store: --store PATH or TURNFOLD_MEMORY_STORE");
  return right({ kind: "serve", store: expanded(store), table: values.table, topK });
};
