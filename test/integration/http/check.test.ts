import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../../src/shell/config/read.js";
import { check } from "../../../src/shell/cli/check.js";
import { closedPort } from "./servers.js";

const KEY = "sk-check-0123456789";

const page = async (env: Environment) => {
  const lines: string[] = [];
  const code = await check({ PATH: process.env["PATH"], HOME: process.env["HOME"], ...env }, (line) =>
    lines.push(line),
  );
  return { code, text: lines.join("\n") };
};

const openai = (url: string): Environment => ({
  BUZZ_AGENT_PROVIDER: "openai",
  OPENAI_COMPAT_API_KEY: KEY,
  OPENAI_COMPAT_BASE_URL: `${url}/v1`,
  OPENAI_COMPAT_MODEL: "gpt-x",
});

const startMock = async (): Promise<LLMock> => {
  const mock = new LLMock({ port: 0 });
  mock.onMessage(/.*/, { content: "ok" });
  await mock.start();
  onTestFinished(() => mock.stop());
  return mock;
};

const folder = (): string => {
  const made = mkdtempSync(path.join(tmpdir(), "turnfold-check-"));
  onTestFinished(() => {
    rmSync(made, { recursive: true, force: true });
  });
  return made;
};

const serversFile = (mcpServers: unknown): string => {
  const file = path.join(folder(), "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
};

const everything = {
  command: process.execPath,
  args: [createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
};

test("a good set-up is one page, with tools listed and secrets only said to be set", async () => {
  const mock = await startMock();
  const env = { ...openai(mock.url), TURNFOLD_MCP_SERVERS: serversFile({ everything }) };
  const { code, text } = await page(env);
  expect(text).toMatch(/OPENAI_COMPAT_API_KEY +set\n/);
  expect(text).not.toContain(KEY);
  expect(text).toMatch(/OPENAI_COMPAT_MODEL +"gpt-x"\n/);
  expect(text).toMatch(/gpt-x answered in [\d.]+s \(\d+ tokens in, \d+ out\)/);
  expect(text).toContain("everything__echo");
  expect(text).toMatch(/All is well\.$/);
  expect(code).toBe(0);
});

test("a model that does not answer, a server that does not start and one that is remote are told, each once", async () => {
  const env = {
    ...openai(`http://127.0.0.1:${await closedPort()}`),
    TURNFOLD_MCP_SERVERS: serversFile({
      everything,
      broken: { command: "/nonexistent/program" },
      remote: { url: "https://example.com/mcp" },
    }),
  };
  const { code, text } = await page(env);
  expect(text).toContain("OpenAI: the connection was refused");
  expect(text).toContain("everything__echo");
  expect(text).toContain("MCP server broken did not come up");
  expect(text).toContain("MCP server remote: only stdio servers are supported");
  expect(text).toMatch(/Not all is well: see above\.$/);
  expect(code).toBe(1);
});

test("a bad environment is told with what is set, and a misspelt variable is pointed out", async () => {
  const { code, text } = await page({ BUZZ_AGENT_PROVIDER: "openai", BUZZ_AGENT_MAX_ROUND: "3", TURNFOLD_LOG: "loud" });
  expect(text).toMatch(/BUZZ_AGENT_MAX_ROUND +is no variable of this program/);
  expect(text).toContain("turnfold: OPENAI_COMPAT_API_KEY: is required for provider openai");
  expect(code).toBe(1);
});
