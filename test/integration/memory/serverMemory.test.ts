// The knowledge graph of the real `@modelcontextprotocol/server-memory`, while that server is writing it.
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, test } from "vitest";
import { type BuzzClient, buzzClient } from "../../support/buzzClient.js";
import { installPeer } from "../../support/peer.js";
import { startClient } from "../../support/rawClient.js";
import { temporaryFolder } from "../../support/sessions.js";

const entry = path.join("@modelcontextprotocol", "server-memory", "dist", "index.js");
const modules = await installPeer("server-memory", entry);

let client: BuzzClient | undefined;
let server: Client | undefined;
afterEach(async () => {
  client?.raw.process.kill("SIGKILL");
  await server?.close();
});

describe.skipIf(modules === undefined)("the file of server-memory", () => {
  test("is recalled from, relations and all, and again when the server has added to it", async () => {
    const file = path.join(temporaryFolder(), "memory.jsonl");
    const writer = new Client({ name: "test", version: "0" });
    server = writer;
    const transport = {
      command: process.execPath,
      args: [path.join(modules ?? "", entry)],
      env: { MEMORY_FILE_PATH: file },
    };
    await writer.connect(new StdioClientTransport({ ...transport, stderr: "ignore" }));
    const call = async (name: string, given: Record<string, unknown>): Promise<void> => {
      const { isError } = await writer.callTool({ name, arguments: given });
      expect(isError ?? false).toBe(false);
    };
    await call("create_entities", {
      entities: [
        { name: "Shed", entityType: "building", observations: ["Blue was chosen"] },
        { name: "Ann", entityType: "person", observations: ["likes red"] },
      ],
    });
    await call("create_relations", { relations: [{ from: "Ann", to: "Shed", relationType: "painted" }] });

    client = buzzClient(startClient({ args: ["memory", "--store", file, "--top-k", "1"] }));
    await client.handshake();
    const session = await client.newSession();
    await client.prompt(session, ["which building is blue?"]);
    expect(client.said(session)).toMatch(
      /^1 memory for .*\n\n1\. \[\d+% · just now\] Shed \(building\)\nBlue was chosen\nAnn painted Shed$/,
    );

    await call("add_observations", { observations: [{ entityName: "Ann", contents: ["owns a zebra"] }] });
    await client.prompt(session, ["zebra"]);
    expect(client.said(session)).toMatch(/Ann \(person\)\nlikes red\nowns a zebra\nAnn painted Shed$/);
    expect(await client.raw.end()).toMatchObject({ code: 0 });
  });
});
