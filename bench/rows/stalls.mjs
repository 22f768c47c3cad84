// How long the agent's event loop stands still, during which no session gets anything: when a client sends the largest frame that
// is taken, and when 50 MB of updates go to a client that reads slowly; and how much of these waits in memory.

import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { alone, valueAtMost } from "../figure.mjs";
import { initialize, newSession, prompt, startAgent } from "../support/agent.mjs";
import { makeWorkspace, plainPlan, skillPlan, startModel } from "../support/model.mjs";

const probe = fileURLToPath(new URL("../support/stallProbe.mjs", import.meta.url));
const MIB = 1024 * 1024;
/** Less than the longest frame by what is around the text. */
const FRAME_BYTES = 4 * MIB - 1024;
/** Long enough for a delay to be noticed after the work that made it. */
const AFTER_MS = 20;

/** @typedef {import("../support/agent.mjs").Client} Client */
/** @typedef {{ readonly stallMs: number, readonly unsent: number }} Seen */

/** What the probe has seen since it was last asked. @param {Client} client @returns {Promise<Seen>} */
const ask = async ({ child }) => {
  await sleep(AFTER_MS);
  return new Promise((resolve) => {
    child.once("message", (message) => resolve(/** @type {Seen} */ (message)));
    child.send("tell");
  });
};

/**
 * @template T
 * @param {import("../support/model.mjs").Plan} plan
 * @param {(client: Client, folder: string) => Promise<T>} work
 */
async function withAgent(plan, work) {
  const workspace = makeWorkspace();
  const model = await startModel(plan);
  const environment = { ...model.environment, HOME: workspace.folder };
  const client = startAgent({ flags: ["--import", probe], environment, channel: true });
  try {
    await initialize(client);
    return await work(client, workspace.folder);
  } finally {
    await client.end();
    model.end();
    workspace.remove();
  }
}

/** Frames of 4 MiB: what is in them decides what they cost. A prompt of this size is refused, but it must be read for that. */
const frames = {
  "a prompt that is too long": { prompt: [{ type: "text", text: 'Say "yes".\n'.repeat(FRAME_BYTES / 14) }] },
  "numbers in a field that nobody knows": {
    prompt: [{ type: "text", text: "Hello." }],
    _meta: { numbers: Array.from({ length: FRAME_BYTES / 8 }, (_, index) => 1_000_000 + (index % 8_000_000)) },
  },
  "many small objects there": {
    prompt: [{ type: "text", text: "Hello." }],
    _meta: { entries: Array.from({ length: FRAME_BYTES / 24 }, (_, index) => ({ id: index % 1000, to: "ab" })) },
  },
};

/** @param {string} what @param {object} params @param {number} count */
const inbound = (what, params, count) =>
  withAgent(plainPlan, async (client, folder) => {
    const sessionId = await newSession(client, folder);
    const values = [];
    for (let sent = 0; sent <= count; sent += 1) {
      await ask(client);
      await client.request("session/prompt", { sessionId, ...params }).catch(() => undefined);
      values.push((await ask(client)).stallMs);
    }
    return alone({
      what: `longest stall of the event loop at a frame of 4 MiB: ${what}`,
      unit: "ms",
      // The first belongs to the compiler.
      values: values.slice(1),
      aim: valueAtMost(50),
    });
  });

const SESSIONS = 4;
const READ_EVERY_MS = 4;
const UNSENT_BYTES_MAX = 8 * MIB;
/** A reply as frames is a little longer than its text. */
const REPLY_FRAMES_BYTES = 1.25 * MIB;

/** Takes one chunk, at most 64 KiB, and then none for a while. @param {Client} client */
const readSlowly = ({ child: { stdout } }) => {
  stdout.on("data", () => {
    stdout.pause();
    setTimeout(() => stdout.resume(), READ_EVERY_MS);
  });
};

/** @param {number} rounds of each session, a reply of 1 MiB each */
const outbound = (rounds) =>
  withAgent(
    { ...skillPlan, toolRounds: rounds - 1, callTextBytes: MIB, answerTextBytes: MIB },
    async (client, folder) => {
      const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => newSession(client, folder)));
      readSlowly(client);
      await ask(client);
      await Promise.all(sessions.map((session) => prompt(client, session, "Tell me everything.")));
      return ask(client);
    },
  );

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const figures = [];
  for (const [what, params] of Object.entries(frames)) figures.push(await inbound(what, params, quick ? 1 : 15));
  /** @type {Seen[]} */
  const seen = [];
  const rounds = quick ? 2 : 13;
  for (let done = 0; done < (quick ? 1 : 5); done += 1) seen.push(await outbound(rounds));
  const what = `${SESSIONS * rounds} MiB of updates from ${SESSIONS} sessions to a reader of 16 MB/s`;
  return [
    ...figures,
    alone({
      what: `longest stall of the event loop: ${what}`,
      unit: "ms",
      values: seen.map(({ stallMs }) => stallMs),
      aim: valueAtMost(50),
    }),
    alone({
      what: `most that waited unsent: ${what}`,
      unit: "bytes",
      values: seen.map(({ unsent }) => unsent),
      aim: valueAtMost(UNSENT_BYTES_MAX + SESSIONS * REPLY_FRAMES_BYTES),
      note: "The bound is 8 MiB, above which no session starts a call, and one reply of 1 MiB of each.",
    }),
  ];
}
