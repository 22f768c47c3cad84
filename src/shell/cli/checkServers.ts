/** Each server of `TURNFOLD_MCP_SERVERS` started, with its tools and what was left out of them; everything is ended again. */
import { isLeft } from "fp-ts/lib/Either.js";
import type { Config } from "../config/config.js";
import type { Environment } from "../config/read.js";
import type { Log } from "../log.js";
import { openTools } from "../mcp/index.js";
import type { Notice, Offered, ToolsPort } from "../ports.js";
import type { Finding } from "./check.js";

const serverOf = (toolName: string): string => toolName.slice(0, Math.max(0, toolName.indexOf("__")));

/** Resolves when every server has come up or been given up: each has a time limit of its own. */
const whenComplete = (tools: ToolsPort): Promise<Offered> =>
  new Promise((resolve) => {
    const look = (offered: Offered): void => {
      if (offered.complete) resolve(offered);
    };
    tools.onChange(look);
    look(tools.offered());
  });

const offeredLines = ({ tools, hooks }: Offered): readonly string[] => {
  const names = new Set([...tools.map(({ name }) => serverOf(name)), ...hooks.map(({ server }) => server)]);
  return [...names].flatMap((server) => {
    const own = tools.filter(({ name }) => serverOf(name) === server).map(({ name }) => name);
    const points = hooks.filter((hook) => hook.server === server).map(({ point }) => point);
    const lines = [
      `${server}: ${own.length} ${own.length === 1 ? "tool" : "tools"}`,
      ...own.map((name) => `  ${name}`),
    ];
    return points.length === 0 ? lines : [...lines, `  hooks: ${points.join(", ")}`];
  });
};

const noticeLines = (notices: readonly Notice[]): readonly string[] =>
  notices.flatMap(({ title, detail }) => [`! ${title}`, ...detail.split("\n").map((line) => `    ${line}`)]);

export const checkServers = async (config: Config, environment: Environment, log: Log): Promise<Finding> => {
  const { limits, hookServers, mcpServers: ownEntries } = config;
  if (ownEntries.length === 0) return { ok: true, lines: ["none is configured (TURNFOLD_MCP_SERVERS)"] };
  const { signal } = new AbortController();
  const cwd = process.cwd();
  const opened = await openTools({
    entries: [],
    ownEntries,
    cwd,
    environment,
    limits,
    hookServers,
    builtIns: [],
    log,
    signal,
  });
  if (isLeft(opened)) {
    return { ok: false, lines: [opened.left.kind === "aborted" ? "interrupted" : `! ${opened.left.message}`] };
  }
  const tools = opened.right;
  const notices: Notice[] = [];
  tools.onNotice((notice) => notices.push(notice));
  const offered = await whenComplete(tools);
  await tools.close(limits.shutdownServerEndMs);
  const ok = notices.every(({ severity }) => severity !== "error");
  return { ok, lines: [...offeredLines(offered), ...noticeLines(notices)] };
};
