/**
 * Every way in which the agent ends, in every state that it can be in: it exits within its five seconds with the code of that way,
 * what was asked is answered where somebody can still read, and nothing is left of it or its servers (by a mark in the
 * environment of all of them). Every second run has a server that ignores the end of its stdin, TERM and HUP.
 */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { faultEntry } from "../support/faultTools.js";
import { processesWith } from "../support/processes.js";
import { program } from "../support/program.js";
import { type Frame, type RawClient } from "../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../support/scriptedModel.js";
import { initialized, newSession, prompt, temporaryFolder } from "../support/sessions.js";
import { within } from "../support/slowness.js";
import { until } from "../support/until.js";

/** Of each cell. */
const RUNS = process.env["TURNFOLD_TEST_LONG"] === "1" ? 50 : 2;

const relay = fileURLToPath(new URL("../support/relay.mjs", import.meta.url));

type Faults = Readonly<Record<string, string>>;
/** What is still to be answered when the end comes; "unanswered" where nobody could read. */
type Asked = readonly Promise<Frame>[];

interface World {
  readonly model: ScriptedModel;
  readonly client: RawClient;
  readonly entry: (faults?: Faults) => object;
  readonly servers: () => readonly number[];
}

interface State {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Brings the agent there and returns what is still to be answered. */
  readonly reach: (world: World) => Promise<Asked>;
  readonly answer: object;
  /** Methods of what the client has been told by the end, where it could still read. */
  readonly told: readonly string[];
}

interface Way {
  readonly name: string;
  readonly end: (client: RawClient) => void;
  /** Null: a signal ended what the test has started, and the agent behind it cannot be asked. */
  readonly code: number | null;
  readonly isRead: boolean;
}

const asked = (answer: Promise<Frame>): Asked => [answer.catch(() => "unanswered")];

const promptIn = async ({ client, entry }: World, faults: Faults = {}): Promise<Asked> => {
  const sessionId = await newSession(client, { mcpServers: [entry(faults)] });
  return asked(prompt(client, sessionId, "go"));
};

const said = async ({ client }: World, words: string): Promise<unknown> =>
  until(`"${words}" on stderr`, () => client.stderr().includes(words), within(10_000));

const cancelled = { result: { stopReason: "cancelled" } };

const STATES: readonly State[] = [
  {
    name: "idle",
    reach: async ({ client, entry }) => {
      await newSession(client, { mcpServers: [entry()] });
      return [];
    },
    answer: {},
    told: [],
  },
  {
    name: "the model is outstanding",
    reach: async (world) => {
      world.model.say("hang");
      const answer = await promptIn(world);
      await world.model.until("the request", (requests) => requests.length > 0);
      return answer;
    },
    answer: cancelled,
    told: ["session/update"],
  },
  {
    name: "tools are running",
    reach: async (world) => {
      const call = { name: "f__hang", arguments: {} };
      world.model.say({ calls: [call, { name: "f__slow", arguments: { ms: 600_000 } }] }, "hang");
      const answer = await promptIn(world);
      await Promise.all([said(world, 'received hang"'), said(world, 'received slow"')]);
      return answer;
    },
    answer: cancelled,
    told: ["session/update"],
  },
  {
    name: "a session is starting",
    env: { TURNFOLD_MCP_GRACE_MS: "600000" },
    reach: async (world) => {
      const { client, entry, servers } = world;
      const params = { cwd: temporaryFolder(), mcpServers: [entry({ FAULT_START: "hang" })] };
      const answer = asked(client.request("session/new", params));
      await until("the server's process", () => servers().length > 0, within(10_000));
      return answer;
    },
    // Which one is a matter of the client's taste; that there is one is not.
    answer: { id: expect.any(String) },
    told: [],
  },
  {
    name: "hooks are running",
    env: { MCP_HOOK_SERVERS: "f", BUZZ_AGENT_HOOK_TIMEOUT_MS: "600000" },
    reach: async (world) => {
      world.model.say({ text: "Done." });
      const answer = await promptIn(world, { FAULT_STOP: "hang" });
      await said(world, 'received _Stop"');
      return answer;
    },
    answer: cancelled,
    told: ["session/update"],
  },
  {
    name: "a permission is open",
    env: { TURNFOLD_PERMISSIONS: "always" },
    reach: async (world) => {
      world.model.say({ calls: [{ name: "f__echo", arguments: {} }] }, "hang");
      const answer = await promptIn(world);
      await world.client.until("question", (frame) => frame.method === "session/request_permission");
      return answer;
    },
    answer: cancelled,
    told: ["session/update", "$/cancel_request"],
  },
];

const signalled = (signal: NodeJS.Signals, code: number): Way => ({
  name: signal,
  end: (client) => void client.process.kill(signal),
  code,
  isRead: true,
});

const WAYS: readonly Way[] = [
  { name: "the end of stdin", end: (client) => client.process.stdin.end(), code: 0, isRead: true },
  signalled("SIGTERM", 143),
  signalled("SIGINT", 130),
  signalled("SIGHUP", 129),
  {
    name: "a write to a closed stdout",
    end: (client) => {
      client.process.stdout.destroy();
      client.write('{"jsonrpc":"2.0","id":"one more","method":"nothing/such"}\n');
    },
    code: 0,
    isRead: false,
  },
  { name: "KILL of its client", end: (client) => void client.process.kill("SIGKILL"), code: null, isRead: false },
];

/** Run side by side. */
const SERVERS: readonly Faults[] = [{}, { FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore" }];

const ended: number[] = [];
afterAll(() => {
  const [longest = 0] = ended.toSorted((a, b) => b - a);
  process.stderr.write(`${ended.length} ends of the agent, the longest ${Math.round(longest)} ms\n`);
});

/** Resolves with the time from the end that was asked for to the last process gone, in milliseconds. */
const run = async (way: Way, state: State, serverFaults: Faults): Promise<number> => {
  const id = randomUUID();
  const model = await startScriptedModel();
  const behindAClient = way.code === null ? { command: [process.execPath, relay, program] } : {};
  const client = await initialized(model, {
    env: { TURNFOLD_TEST_MARK: `${id} agent`, ...state.env },
    ...behindAClient,
  });
  try {
    const server = `${id} server`;
    const servers = (): readonly number[] => processesWith(`TURNFOLD_TEST_MARK=${server}`);
    const toAnswer = await state.reach({
      model,
      client,
      entry: (faults) => faultEntry("f", { ...serverFaults, ...faults, TURNFOLD_TEST_MARK: server }),
      servers,
    });
    // The agent is where it was to be brought: its server runs, and what was asked is open.
    expect(servers()).not.toEqual([]);
    for (const answer of toAnswer) expect(await Promise.race([answer, Promise.resolve("open")])).toBe("open");
    const at = performance.now();
    way.end(client);
    const exit = await client.exited;
    // It does not leave them to their guard, which would see to them only behind it.
    if (way.code !== null) expect(servers()).toEqual([]);
    await until("the agent and its servers gone", () => processesWith(`TURNFOLD_TEST_MARK=${id}`).length === 0);
    const ms = performance.now() - at;
    expect(exit).toMatchObject({ code: way.code, signal: way.code === null ? "SIGKILL" : null });
    if (way.isRead) {
      for (const answer of await Promise.all(toAnswer)) expect(answer).toMatchObject(state.answer);
      expect(client.frames.map(({ method }) => method)).toEqual(expect.arrayContaining([...state.told]));
    }
    return ms;
  } finally {
    client.process.kill("SIGKILL");
    await model.close();
  }
};

describe.concurrent.each(STATES)("When $name", (state) => {
  test.each(WAYS)(
    "$name ends the agent in time, and nothing is left",
    async (way) => {
      for (let done = 0; done < RUNS; done += SERVERS.length) {
        const times = await Promise.all(SERVERS.map(async (faults) => run(way, state, faults)));
        ended.push(...times);
        expect(Math.max(...times)).toBeLessThan(within(5000));
      }
    },
    RUNS * 30_000,
  );
});
