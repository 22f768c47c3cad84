/**
 * Servers in the field, as they come: most list more or larger tools than some client takes (`spec/ecosystem.md` 4). None of their
 * tools may be silently missing. Run by `npm run test:servers`, which downloads them first.
 */
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAcceptable } from "../support/acceptable.js";
import { open } from "../support/faultTools.js";
import { installPeer } from "../support/peer.js";
import { temporaryFolder } from "../support/sessions.js";

interface Server {
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How many tools it lists at least. */
  readonly tools: number;
}

const TWILIO = ["AC00000000000000000000000000000000/SK00000000000000000000000000000000:secret"];

const SERVERS: readonly Server[] = [
  { file: "@modelcontextprotocol/server-memory/dist/index.js", tools: 9 },
  { file: "@modelcontextprotocol/server-sequential-thinking/dist/index.js", tools: 1 },
  { file: "@notionhq/notion-mcp-server/bin/cli.mjs", env: { NOTION_TOKEN: "ntn_x" }, tools: 24 },
  { file: "@antv/mcp-server-chart/build/index.js", tools: 27 },
  { file: "@upstash/context7-mcp/dist/index.js", tools: 2 },
  {
    file: "metabase-ai-assistant/src/mcp/server.js",
    env: { METABASE_URL: "http://127.0.0.1:9", METABASE_API_KEY: "x" },
    tools: 133,
  },
  { file: "@zereight/mcp-gitlab/build/index.js", env: { GITLAB_PERSONAL_ACCESS_TOKEN: "x" }, tools: 100 },
  {
    file: "@twilio-alpha/mcp/build/index.js",
    args: [...TWILIO, "--services", "twilio_api_v2010,twilio_messaging_v1"],
    tools: 197,
  },
  { file: "ebay-mcp/build/index.js", env: { EBAY_CLIENT_ID: "x", EBAY_CLIENT_SECRET: "y" }, tools: 299 },
  { file: "@softeria/ms-365-mcp-server/dist/index.js", args: ["--org-mode"], tools: 344 },
  { file: "@wonderwhy-er/desktop-commander/dist/index.js", tools: 26 },
];

describe.runIf(process.env["TURNFOLD_TEST_SERVERS"] === "1").each(SERVERS)("$file", ({ file, args, env, tools }) => {
  let modules = "";
  beforeAll(async () => {
    modules = (await installPeer("mcp-servers", file)) ?? "";
  }, 700_000);

  const entry = (): object => {
    const home = temporaryFolder();
    const variables = { HOME: home, MEMORY_FILE_PATH: path.join(home, "memory.json"), ...env };
    return {
      name: "server",
      command: process.execPath,
      args: [path.join(modules, file), ...(args ?? [])],
      env: Object.entries(variables).map(([name, value]) => ({ name, value })),
    };
  };

  test("offers all its tools in a form that every provider takes", async () => {
    const session = await open({ entries: [entry()], limits: { maxTools: 10_000, catalogBytesMax: 64 * 1024 * 1024 } });
    const offered = session.port.offered();
    expect(offered.tools.length).toBeGreaterThanOrEqual(tools);
    expectAcceptable(offered);
    await session.close();
  });

  test("keeps to the caps of a session, and whatever did not fit has been named", async () => {
    const session = await open({ entries: [entry()] });
    const offered = session.port.offered();
    expectAcceptable(offered);
    expect(offered.tools.length).toBeLessThanOrEqual(128);
    const bytes = offered.tools.map(({ name, description, schema }) => Buffer.byteLength(name + description + schema));
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(256 * 1024);
    const told = session.notices.some(({ title }) => title === "Tools were left out of the catalogue");
    expect(told || offered.tools.length >= tools).toBe(true);
    await session.close();
  });
});
