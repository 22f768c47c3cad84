// What one `step` of the reducer costs: over a session that the built program recorded while it talked to a model server, against
// an HTTP round trip to that server, which is the least that a round takes; and whether it grows with the history.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { against, ratioAtMost } from "../figure.mjs";
import { initialize, newSession, prompt, startAgent } from "../support/agent.mjs";
import { makeWorkspace, skillPlan, startModel } from "../support/model.mjs";
import { grown, next } from "../support/play.mjs";
import { sources } from "../support/sources.mjs";

/** @typedef {import("../../src/core/index.js").Session} Session */
/** @typedef {import("../../src/core/index.js").Event} Event */
/** @typedef {typeof import("../../src/core/index.js")} Core */
/** @typedef {Awaited<ReturnType<typeof startModel>>} Model */

const TURNS = 5;
const TOOL_ROUNDS = 8;
const ROUND_TRIPS = 20;

/** Microseconds of one of `count`. @param {number} count @param {() => void} work */
const each = (count, work) => {
  const started = performance.now();
  work();
  return ((performance.now() - started) * 1000) / count;
};

/** The text of a record that `turnfold replay` would take. @param {Model} model */
async function recordSession(model) {
  const workspace = makeWorkspace();
  const records = mkdtempSync(path.join(os.tmpdir(), "turnfold-bench-record-"));
  try {
    const environment = { ...model.environment, HOME: workspace.folder, TURNFOLD_RECORD: records };
    const client = startAgent({ environment });
    await initialize(client);
    const session = await newSession(client, workspace.folder);
    for (let turn = 0; turn < TURNS; turn += 1) await prompt(client, session, "What does the skill say?");
    await client.end();
    const [name = ""] = readdirSync(records);
    return readFileSync(path.join(records, name), "utf8");
  } finally {
    rmSync(records, { recursive: true, force: true });
    workspace.remove();
  }
}

/** The session before its first event, and all of them. @param {typeof import("../../src/shell/record/replay.js")} replaying @param {string} text */
function readRecord({ replay }, text) {
  /** @type {Event[]} */
  const events = [];
  /** @type {Session[]} */
  const states = [];
  const result = replay(text, {
    untilEvent: Infinity,
    onStep: ({ line, before }) => {
      events.push(line.event);
      states.push(before);
    },
  });
  const [first] = states;
  if (result.kind !== "replayed" || result.replay.differsAt > 0 || first === undefined)
    throw new Error(`the record cannot be replayed: ${JSON.stringify(result)}`);
  return { first, events };
}

/** @param {Core} core @param {Model} model @param {ReturnType<typeof readRecord>} record @param {number} count */
async function againstRoundTrip({ step }, model, { first, events }, count) {
  const dispatcher = new Agent();
  const url = `http://127.0.0.1:${model.port}/v1/chat/completions`;
  const body = '{"messages":[{"role":"user","content":"Hello."}]}';
  // Several at a stretch: the first one after a pause takes many times as long, and would flatter us.
  const roundTrip = async () => {
    const started = performance.now();
    for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
      const response = await request(url, { method: "POST", body, dispatcher });
      await response.body.text();
    }
    return ((performance.now() - started) * 1000) / ROUND_TRIPS;
  };
  const fold = () => {
    let session = first;
    for (const event of events) [session] = step(session, event);
  };
  const pairs = [];
  for (let pair = 0; pair < count * 2; pair += 1) {
    const floor = await roundTrip();
    pairs.push({ floor, value: each(events.length, fold) });
  }
  await dispatcher.close();
  // The first half belongs to the compiler.
  return pairs.slice(count);
}

const STEPS_OF_A_SAMPLE = 40;

/** Mean time of a step over some turns at 10,000 items, and at 100. @param {Core} core @param {number} count */
function flatness(core, count) {
  const sample = (/** @type {Session} */ start) =>
    each(STEPS_OF_A_SAMPLE, () => {
      let session = start;
      for (let done = 0; done < STEPS_OF_A_SAMPLE; done += 1) [session] = core.step(session, next(session));
    });
  const [short, long] = [grown(core, 100), grown(core, 10_000)];
  const pairs = Array.from({ length: count * 2 }, () => ({ floor: sample(short), value: sample(long) }));
  return pairs.slice(count);
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  /** @type {{ core: Core, replaying: typeof import("../../src/shell/record/replay.js") }} */
  const { core, replaying } = await sources({ core: "src/core/index.ts", replaying: "src/shell/record/replay.ts" });
  const model = await startModel({ ...skillPlan, toolRounds: TOOL_ROUNDS });
  const record = readRecord(replaying, await recordSession(model));
  const pairs = await againstRoundTrip(core, model, record, quick ? 20 : 200);
  model.end();
  return [
    against({
      what: `one \`step\`, mean over a recorded session of ${record.events.length} events`,
      unit: "us",
      floor: "an HTTP round trip on loopback",
      pairs,
      aim: ratioAtMost(0.05),
    }),
    against({
      what: "one `step` at 10,000 items of history",
      unit: "us",
      floor: "the same at 100 items",
      pairs: flatness(core, quick ? 20 : 300),
      aim: ratioAtMost(2),
    }),
  ];
}
