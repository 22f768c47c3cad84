// Rounds a second of one agent process with 200 sessions at work, against the same model server under a load generator with as many
// connections that sends the very bodies which the agent has sent. Both in the same process as this client, in turns; three
// processes share the cores, and the note says how busy each is, so that it can be seen what the bottleneck is.

import { readFile } from "node:fs/promises";
import { against, ratioAtLeast } from "../figure.mjs";
import { initialize, newSession, prompt, startAgent } from "../support/agent.mjs";
import { startGenerator } from "../support/loadGenerator.mjs";
import { makeWorkspace, plainPlan, skillPlan, startModel } from "../support/model.mjs";
import { median } from "../spread.mjs";

const ROUNDS = 20;

/** @typedef {Awaited<ReturnType<typeof startModel>>} Model */
/** @typedef {{ readonly name: string, readonly prompts: number, readonly plan: import("../support/model.mjs").Plan }} Kind */

/** @type {readonly Kind[]} */
const kinds = [
  {
    name: "turns of 20 rounds, 19 of them with a tool in process",
    prompts: 1,
    plan: { ...skillPlan, toolRounds: ROUNDS - 1 },
  },
  { name: "20 turns of one plain round", prompts: ROUNDS, plan: plainPlan },
];

/** CPU time of another process in microseconds. @param {number} pid */
const cpuOf = async (pid) => {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  // Fields 14 and 15 of proc(5), in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};

/** @param {Model} model @param {number} agent its process id */
const cpus = async (model, agent) => {
  const { user, system } = process.cpuUsage();
  return { client: user + system, server: (await model.counts()).cpu, agent: await cpuOf(agent) };
};

/**
 * @typedef {{ readonly perSecond: number, readonly busy: { readonly client: number, readonly server: number, readonly agent: number } }} Window
 */

/**
 * Rounds a second of what `work` makes the server serve, and how much of a core each process used meanwhile.
 * @param {Model} model
 * @param {number} agent its process id
 * @param {number} rounds that must be served
 * @param {() => Promise<void>} work
 * @returns {Promise<Window>}
 */
async function window(model, agent, rounds, work) {
  const served = (await model.counts()).served;
  const before = await cpus(model, agent);
  const started = performance.now();
  await work();
  const microseconds = (performance.now() - started) * 1000;
  const after = await cpus(model, agent);
  const done = (await model.counts()).served - served;
  if (done !== rounds) throw new Error(`${done} rounds were served, not ${rounds}`);
  const share = (/** @type {"client" | "server" | "agent"} */ who) => (after[who] - before[who]) / microseconds;
  return {
    perSecond: rounds / (microseconds / 1e6),
    busy: { client: share("client"), server: share("server"), agent: share("agent") },
  };
}

/** Fresh sessions, so that every window has the same histories. @param {import("../support/agent.mjs").Client} client @param {string} folder @param {Kind} kind @param {number} count */
async function openAll(client, folder, { prompts }, count) {
  const sessions = await Promise.all(Array.from({ length: count }, () => newSession(client, folder)));
  const talk = async (/** @type {string} */ session) => {
    for (let turn = 0; turn < prompts; turn += 1) await prompt(client, session, "What does the skill say?");
  };
  return {
    run: async () => {
      await Promise.all(sessions.map(talk));
    },
    close: () => Promise.all(sessions.map((sessionId) => client.request("session/close", { sessionId }))),
  };
}

/** What one session sends in a window. @param {Model} model @param {import("../support/agent.mjs").Client} client @param {string} folder @param {Kind} kind */
async function bodiesOf(model, client, folder, { prompts }) {
  model.keepBodies();
  const session = await newSession(client, folder);
  for (let turn = 0; turn < prompts; turn += 1) await prompt(client, session, "What does the skill say?");
  const bodies = await model.bodies();
  if (bodies.length !== ROUNDS) throw new Error(`a session has sent ${bodies.length} bodies`);
  return bodies;
}

/** @param {Kind} kind @param {number} count of sessions, and of connections @param {number} windows */
async function windowsOf(kind, count, windows) {
  const workspace = makeWorkspace();
  const model = await startModel(kind.plan);
  const client = startAgent({ environment: { ...model.environment, HOME: workspace.folder } });
  try {
    await initialize(client);
    const bodies = await bodiesOf(model, client, workspace.folder, kind);
    const generator = await startGenerator(model.port, count, bodies);
    const agent = client.child.pid ?? 0;
    /** @type {{ agent: Window, floor: Window }[]} */
    const seen = [];
    // The first belongs to the compilers.
    for (let done = 0; done <= windows; done += 1) {
      const sessions = await openAll(client, workspace.folder, kind, count);
      const rounds = count * ROUNDS;
      const pair = {
        agent: await window(model, agent, rounds, sessions.run),
        floor: await window(model, agent, rounds, generator.run),
      };
      if (done > 0) seen.push(pair);
      await sessions.close();
    }
    generator.end();
    const bytes = Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / bodies.length);
    return { seen, bytes };
  } finally {
    await client.end();
    model.end();
    workspace.remove();
  }
}

const percent = (/** @type {readonly number[]} */ shares) => `${Math.round(median(shares) * 100)} %`;

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const sessions = quick ? 10 : 200;
  const figures = [];
  for (const kind of kinds) {
    const { seen, bytes } = await windowsOf(kind, sessions, quick ? 1 : 7);
    const busy = (/** @type {"agent" | "floor"} */ side, /** @type {"client" | "server" | "agent"} */ who) =>
      percent(seen.map((pair) => pair[side].busy[who]));
    figures.push(
      against({
        what: `rounds a second of ${sessions} sessions in one process: ${kind.name}`,
        unit: "rounds/s",
        floor: `the same server under a load generator, ${sessions} connections`,
        pairs: seen.map(({ agent, floor }) => ({ value: agent.perSecond, floor: floor.perSecond })),
        aim: ratioAtLeast(0.6),
        note:
          `Bodies of ${bytes} bytes on average. Of one core, the agent takes ${busy("agent", "agent")}, the server meanwhile ` +
          `${busy("agent", "server")}, the client ${busy("agent", "client")}; under the generator the server takes ` +
          `${busy("floor", "server")} and the generator ${busy("floor", "client")}.`,
      }),
    );
  }
  return figures;
}
