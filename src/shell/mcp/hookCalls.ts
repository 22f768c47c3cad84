/**
 * Hooks fail open (`spec/server-mcp.md` 9.3): an error, a timeout or silence is no output, and never holds the turn up for longer
 * than one hook may take. Whoever is late twice in a row is stopped.
 */
import type { HookOutput } from "../../core/event.js";
import type { HookPoint } from "../../core/model.js";
import { REDUCER_LIMITS, type ShellLimits } from "../../core/policy.js";
import { elideMiddle, isBlank } from "../../core/text.js";
import { callTool, type CallEnd } from "./call.js";
import type { Log } from "../log.js";
import type { Server } from "./server.js";

export type CallHooks = (
  point: HookPoint,
  servers: readonly Server[],
  signal: AbortSignal,
) => Promise<readonly HookOutput[]>;

const LATE_MAX = 2;

export const hookCaller = (limits: ShellLimits, log: Log): CallHooks => {
  /** Timeouts in a row, by server, over all hooks. */
  const late = new Map<string, number>();

  const judge = (server: Server, point: HookPoint, end: CallEnd): void => {
    if (end.kind === "result") late.delete(server.name);
    else if (end.kind !== "cancelled")
      log("warn", "hook gave no answer", { server: server.name, hook: point, how: end.kind });
    if (end.kind !== "timedOut") return;
    const times = (late.get(server.name) ?? 0) + 1;
    late.set(server.name, times);
    if (times < LATE_MAX || end.connection === undefined) return;
    late.delete(server.name);
    server.kill(end.connection, `its hooks were late ${LATE_MAX} times in a row`);
  };

  return async (point, servers, signal) => {
    const ends = await Promise.all(
      servers.map(async (server) => {
        const end = await callTool(server, point, {}, limits.hookTimeoutMs, signal);
        judge(server, point, end);
        return { server: server.name, text: textOf(end) };
      }),
    );
    return ends.filter(({ text }) => !isBlank(text));
  };
};

const textOf = (end: CallEnd): string => {
  if (end.kind !== "result" || end.isError) return "";
  const texts = end.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return elideMiddle(texts.join("\n"), REDUCER_LIMITS.hookTextBytesMax.default, "hook output");
};
