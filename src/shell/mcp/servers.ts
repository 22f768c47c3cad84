/** The servers of one session: started side by side, offered as one catalogue, ended together. */
import { isLeft, left, right } from "fp-ts/lib/Either.js";
import type { ToolOutcome } from "../../core/event.js";
import { isJsonObject, type JsonObject, parseJson } from "../../core/json.js";
import type { Offered, ToolsPort } from "../ports.js";
import { callTool } from "./call.js";
import { type Catalog, catalogOf } from "./catalog.js";
import { FAILED_GRACE_MS, type ServerHost } from "./connection.js";
import { type JudgedEntries, judgeEntries } from "./entries.js";
import { hookCaller } from "./hookCalls.js";
import { noticeQueue, type Notices } from "./notices.js";
import { hideValues } from "../secrets.js";
import { serverEnvironment } from "./environment.js";
import { serverSecrets } from "./serverSecrets.js";
import type { OpenTools, OpenToolsFailure, OpenToolsOptions } from "./port.js";
import { createServer, type Server } from "./server.js";
import { pause } from "./wait.js";

/** Names in one notice, and names that are told at all. */
const LEFT_OUT_SHOWN_MAX = 20;
const LEFT_OUT_TOLD_MAX = 1000;

export const openTools: OpenTools = async (options) => {
  const judged = judgeEntries(options.entries, options.ownEntries, options.limits);
  if (isLeft(judged)) return left({ kind: "invalidServers", message: judged.left });
  const notices = noticeQueue();
  for (const skipped of judged.right.skipped) {
    options.log("warn", "MCP server skipped", { why: skipped });
    notices.tell({ severity: "warning", title: "An MCP server was skipped", detail: skipped });
  }
  const set = serverSet(judged.right, options, notices);
  const failure = await firstMoments(set, options);
  if (failure === undefined) return right(set.port);
  await set.port.close(FAILED_GRACE_MS);
  return left(failure);
};

interface ServerSet {
  readonly port: ToolsPort;
  readonly tried: number;
  /** Why servers have not come up so far, a line each. */
  readonly failed: () => readonly string[];
  /** Every server is up or given up. */
  readonly settled: Promise<void>;
}

/** Waits for the servers as long as `session/new` may; a failure if by then not one is left that could still come. */
const firstMoments = async (set: ServerSet, options: OpenToolsOptions): Promise<OpenToolsFailure | undefined> => {
  const { limits, signal } = options;
  const grace = new AbortController();
  const end = (): void => grace.abort();
  signal.addEventListener("abort", end);
  await Promise.race([set.settled, pause(limits.mcpGraceMs, grace.signal)]);
  signal.removeEventListener("abort", end);
  end();
  if (signal.aborted) return { kind: "aborted" };
  const failed = set.failed();
  if (set.tried === 0 || failed.length < set.tried) return undefined;
  return { kind: "noServer", message: `no MCP server came up: ${failed.join("; ")}` };
};

const serverSet = ({ specs }: JudgedEntries, options: OpenToolsOptions, notices: Notices): ServerSet => {
  const { cwd, limits, log, builtIns, hookServers } = options;
  const given = specs.map(({ env }) => serverEnvironment(options.environment, env, process.platform));
  const { redact } = hideValues(given.flatMap(serverSecrets));
  const host: ServerHost = { cwd, environment: options.environment, limits, log, redact };
  const tellLeftOut = leftOutTeller(notices);
  const listeners: ((offered: Offered) => void)[] = [];
  const failed: string[] = [];
  let complete = specs.length === 0;

  const changed = (): void => {
    catalog = compute();
    tellLeftOut(catalog);
    for (const listener of listeners) listener(offered());
  };
  const servers = specs.map((spec) => createServer(spec, host, { onChange: changed, onNotice: notices.tell }));
  const compute = (): Catalog =>
    catalogOf(
      servers.map((server) => ({ server: server.name, tools: server.listing().tools })),
      builtIns.map(({ tool }) => tool),
      hookServers,
      limits,
    );
  let catalog = compute();
  const offered = (): Offered => ({ tools: catalog.tools, hooks: catalog.hooks, complete });

  const start = async (server: Server): Promise<void> => {
    const opened = await server.start();
    if (!isLeft(opened)) return;
    failed.push(`${server.name}: ${opened.left}`);
    notices.tell({ severity: "error", title: `MCP server ${server.name} did not come up`, detail: opened.left });
  };
  const startAll = async (): Promise<void> => {
    await Promise.all(servers.map(start));
    complete = true;
    changed();
  };
  const settled = startAll();

  const callHooks = hookCaller(limits, log);
  const port: ToolsPort = {
    offered,
    onChange: (listener) => void listeners.push(listener),
    onNotice: notices.listen,
    run: (name, argumentsText, signal) => {
      const builtIn = builtIns.find(({ tool }) => tool.name === name);
      if (builtIn !== undefined) return builtIn.run(argumentsText, signal);
      const route = catalog.routes.get(name);
      const server = servers.find((each) => each.name === route?.server);
      if (route === undefined || server === undefined) return gone(name);
      return runTool(server, route.bare, argumentsText, limits.toolTimeoutSeconds, signal);
    },
    callHooks: (point, names, signal) =>
      callHooks(
        point,
        servers.filter(({ name }) => names.includes(name)),
        signal,
      ),
    close: async (graceMs) => {
      await Promise.all(servers.map((server) => server.close(graceMs)));
    },
  };
  return { port, tried: specs.length, failed: () => failed, settled };
};

/** Its server was lost, or has changed its list, since the model was shown it. */
const gone = (name: string): Promise<ToolOutcome> =>
  Promise.resolve({ kind: "failed", message: `no longer available: ${name}` });

const runTool = async (
  server: Server,
  bare: string,
  argumentsText: string,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<ToolOutcome> => {
  const args = argumentsOf(argumentsText);
  if (args === undefined) return { kind: "failed", message: "the arguments are no JSON object" };
  const end = await callTool(server, bare, args, timeoutSeconds * 1000, signal);
  if (end.kind !== "timedOut") return end;
  if (end.connection !== undefined) server.kill(end.connection, `a call took longer than ${timeoutSeconds} s`);
  return {
    kind: "timedOut",
    message: `timed out after ${timeoutSeconds} s; MCP server ${server.name} was stopped and will be started again. Ask for less at a time.`,
  };
};

const argumentsOf = (text: string): JsonObject | undefined => {
  const parsed = parseJson(text);
  return isLeft(parsed) || !isJsonObject(parsed.right) ? undefined : parsed.right;
};

/** Each name once, and not without end. */
const leftOutTeller = (notices: Notices): ((catalog: Catalog) => void) => {
  const told = new Set<string>();
  return ({ leftOut }) => {
    const fresh = leftOut.filter((name) => !told.has(name));
    if (fresh.length === 0 || told.size >= LEFT_OUT_TOLD_MAX) return;
    for (const name of fresh) told.add(name);
    const more = fresh.length - LEFT_OUT_SHOWN_MAX;
    const names = fresh.slice(0, LEFT_OUT_SHOWN_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
    notices.tell({ severity: "warning", title: "Tools were left out of the catalogue", detail: names });
  };
};
