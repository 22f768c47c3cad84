// The harness definitions that we give away, by the rules by which a harness reads them (`spec/memory-agent-and-harness.md` 2.1
// and 2.2), and the agents that they start.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { buzzClient } from "../../support/buzzClient.js";
import { mention } from "../../support/buzzPrompt.js";
import { type RawClient, startClient } from "../../support/rawClient.js";
import { temporaryFolder } from "../../support/sessions.js";

interface Definition {
  readonly id: string;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installInstructionsUrl: string;
  readonly installHint: string;
}

const folder = fileURLToPath(new URL("../../../examples/harness", import.meta.url));
const definitions = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, ...(JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Definition) }));

const TAKEN = "goose claude codex buzz-agent devin cursor omp grok opencode kimi amp hermes openclaw prime-agent".split(
  " ",
);
const RESERVED = /^(?:BUZZ_(?:PRIVATE_KEY|AUTH_TAG|API_TOKEN|RELAY_URL|MANAGED_AGENT.*|ACP_.*)|NOSTR_PRIVATE_KEY)$/i;

let client: RawClient | undefined;
afterEach(() => client?.process.kill("SIGKILL"));

test("there is one for each agent", () => {
  expect(definitions.map(({ id }) => id).toSorted()).toEqual(["turnfold", "turnfold-memory"]);
});

describe.each(definitions)("$name", ({ name, id, label, command, args, env, installInstructionsUrl }) => {
  test("is one that a harness takes", () => {
    expect(name).toBe(`${id}.json`);
    expect(id).toMatch(/^[a-z0-9_][a-z0-9_-]*$/);
    expect(TAKEN).not.toContain(id);
    expect(label.trim()).not.toBe("");
    expect(command).toBe("turnfold");
    expect(args.filter((argument) => argument.includes(","))).toEqual([]);
    expect(Object.keys(env).filter((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) || RESERVED.test(key))).toEqual([]);
    expect(installInstructionsUrl).toMatch(/^https:\/\//);
  });

  test("starts an agent that shakes hands with what is on the machine", async () => {
    client = startClient({ args, env: { ...env, ANTHROPIC_API_KEY: "unused-key-0001" } });
    const buzz = buzzClient(client);
    expect(await buzz.handshake()).toMatchObject({ agentInfo: { name: id }, authMethods: [] });
    expect(await buzz.newSession()).toMatch(/^ses_/);
    expect(await client.end()).toMatchObject({ code: 0 });
  });
});

test("the memory agent finds the store of the environment in a home folder", async () => {
  const home = temporaryFolder({ "a.md": "Blue was chosen." });
  client = startClient({ args: ["memory", "acp"], env: { HOME: home, TURNFOLD_MEMORY_STORE: "~/" } });
  const buzz = buzzClient(client);
  await buzz.handshake();
  const session = await buzz.newSession();
  expect(await buzz.prompt(session, mention("blue?"))).toBe("end_turn");
  expect(buzz.said(session)).toContain("Blue was chosen.");
  expect(await client.end()).toMatchObject({ code: 0 });
});
