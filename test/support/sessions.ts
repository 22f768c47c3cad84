/** What most tests of the built agent begin with: a client that has initialized, a session, and servers to put into it. */
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Frame, type RawClient, type RawClientOptions, startClient } from "./rawClient.js";
import type { ScriptedModel } from "./scriptedModel.js";

const { resolve } = createRequire(import.meta.url);

export const temporaryFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "turnfold-test-")));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
};

/** An entry of `mcpServers`. */
export const filesServer = (folder: string): object => ({
  name: "files",
  command: process.execPath,
  args: [resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), folder],
  env: [],
});

export const everythingServer = (): object => ({
  name: "everything",
  command: process.execPath,
  args: [resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  env: [],
});

/** A client that runs the agent against the model and has said hello. */
export const initialized = async (
  model: ScriptedModel,
  options: RawClientOptions = {},
  params: object = {},
): Promise<RawClient> => {
  const client = startClient({ ...options, env: { ...model.env, TURNFOLD_LOG: "debug", ...options.env } });
  await client.request("initialize", { protocolVersion: 1, clientCapabilities: {}, ...params });
  return client;
};

export const newSession = async (client: RawClient, params: object = {}): Promise<string> => {
  const answer: Frame = await client.request("session/new", { cwd: temporaryFolder(), mcpServers: [], ...params });
  if (answer.result === undefined) throw new Error(JSON.stringify(answer));
  return answer.result.sessionId as string;
};

/** Resolves with the whole response. */
export const prompt = async (client: RawClient, sessionId: string, text: string): Promise<Frame> =>
  client.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

export const kinds = (updates: readonly Frame[]): readonly string[] =>
  updates.map((update) =>
    update.status === undefined ? update.sessionUpdate : `${update.sessionUpdate} ${update.status}`,
  );
