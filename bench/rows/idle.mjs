// What a session costs that has had its turn and waits: 10,000 of them in one process, each with a small history of a real turn,
// memory after a full collection. Told as growth between a thousandth of them and all, so that what the process needs anyway is
// not divided among them.

import { fileURLToPath } from "node:url";
import { alone, valueAtMost } from "../figure.mjs";
import { initialize, newSession, prompt, startAgent } from "../support/agent.mjs";
import { makeWorkspace, plainPlan, startModel } from "../support/model.mjs";

const probe = fileURLToPath(new URL("../support/memoryProbe.mjs", import.meta.url));
const KIB = 1024;
const AT_ONCE = 50;
const PROMPT = "What do you think of this, and why? Answer in a few sentences, please.";

/** @param {import("../support/agent.mjs").Client} client @returns {Promise<{ rss: number, used: number }>} bytes */
const memory = ({ child }) =>
  new Promise((resolve) => {
    child.once("message", (message) => resolve(/** @type {{ rss: number, used: number }} */ (message)));
    child.send("collect");
  });

/** Opens sessions and gives each one turn. @param {import("../support/agent.mjs").Client} client @param {string} folder @param {number} count */
async function addSessions(client, folder, count) {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await prompt(client, await newSession(client, folder), PROMPT);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** @param {number} few @param {number} many */
async function growth(few, many) {
  const workspace = makeWorkspace();
  const model = await startModel(plainPlan);
  const environment = { ...model.environment, HOME: workspace.folder, BUZZ_AGENT_MAX_SESSIONS: String(many) };
  const client = startAgent({ flags: ["--expose-gc", "--import", probe], environment, channel: true });
  try {
    await initialize(client);
    await addSessions(client, workspace.folder, few);
    const before = await memory(client);
    await addSessions(client, workspace.folder, many - few);
    const after = await memory(client);
    const each = (/** @type {"rss" | "used"} */ kind) => (after[kind] - before[kind]) / (many - few);
    return { rss: each("rss"), used: each("used") };
  } finally {
    await client.end();
    model.end();
    workspace.remove();
  }
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const [few, many] = quick ? [50, 200] : [500, 10_000];
  const { rss, used } = await growth(few, many);
  const historyBytes = PROMPT.length + plainPlan.answerTextBytes;
  return [
    alone({
      what: `memory of an idle session beyond its history's bytes, ${many.toLocaleString("en-US")} sessions without servers`,
      unit: "bytes",
      values: [rss - historyBytes],
      aim: valueAtMost(16 * KIB),
      note: `Resident memory. Each history has ${historyBytes} bytes; of the heap a session holds ${Math.round(used)}.`,
    }),
  ];
}
