/** One call of one tool, with everything that can happen to it as a value. */
import { isLeft } from "fp-ts/lib/Either.js";
import { assertNever } from "../../core/never.js";
import type { ToolOutcome } from "../../core/event.js";
import type { JsonObject } from "../../core/json.js";
import type { Answer } from "./client.js";
import type { Connection } from "./connection.js";
import { toolOutcome } from "./results.js";
import type { Server } from "./server.js";
import { type Limited, limited } from "./wait.js";

export type CallEnd =
  | Exclude<ToolOutcome, { readonly kind: "timedOut" }>
  /** `connection` is the one that did not answer; undefined if the time went by before there was one. */
  | { readonly kind: "timedOut"; readonly connection: Connection | undefined };

/** `timeoutMs` covers a restart of the server and the call. Settles at once when the signal fires; the server is told. */
export const callTool = async (
  server: Server,
  tool: string,
  args: JsonObject,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CallEnd> => {
  const time = limited(signal, timeoutMs);
  const opened = await time.until(server.connect());
  const end =
    opened === undefined
      ? stopped(time, undefined)
      : isLeft(opened)
        ? failed(server, opened.left)
        : await callOn(server, opened.right, tool, args, time);
  time.release();
  return end;
};

const callOn = async (
  server: Server,
  connection: Connection,
  tool: string,
  args: JsonObject,
  time: Limited,
): Promise<CallEnd> => {
  const answer = await time.until(connection.call(tool, args, time.signal));
  if (answer === undefined || time.stopped() !== undefined) return stopped(time, connection);
  if (answer.kind === "result") server.served();
  return endOf(answer, server);
};

const stopped = (time: Limited, connection: Connection | undefined): CallEnd =>
  time.stopped() === "cancelled" ? { kind: "cancelled" } : { kind: "timedOut", connection };

const failed = (server: Server, why: string): CallEnd => ({
  kind: "failed",
  message: `MCP server ${server.name}: ${why}`,
});

const endOf = (answer: Answer, server: Server): CallEnd => {
  switch (answer.kind) {
    case "result":
      return toolOutcome(answer.result);
    case "rejected":
      return { kind: "rejected", message: answer.message };
    case "lost":
      return failed(server, answer.message);
  }
  return assertNever(answer);
};
