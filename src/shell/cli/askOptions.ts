/** The command line of `turnfold ask`. */
import { parseArgs } from "node:util";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { badArguments } from "./badArguments.js";

export interface AskOptions {
  /** "-": read from stdin. */
  readonly prompt: string;
  /** File of MCP servers, or "". */
  readonly mcp: string;
  readonly cwd: string;
  readonly json: boolean;
}

/** Left: what is wrong, one line. */
export const readAskOptions = (argv: readonly string[]): Either<string, AskOptions> => {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { mcp: { type: "string" }, cwd: { type: "string" }, json: { type: "boolean" } },
      allowPositionals: true,
    });
    const [prompt, ...more] = positionals;
    if (prompt === undefined || prompt.trim() === "") return left("ask needs a prompt");
    if (more.length > 0) return left("ask takes one prompt; put it in quotes");
    return right({ prompt, mcp: values.mcp ?? "", cwd: values.cwd ?? ".", json: values.json ?? false });
  } catch (fault) {
    return left(badArguments(fault));
  }
};
