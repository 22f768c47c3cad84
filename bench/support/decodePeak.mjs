// A process that does nothing but ask a model once and make the event of its reply, with Node's own HTTP pool and the shell's model
// client. Says how many resident bytes that took at its highest, above what there was before. The environment names the provider.

import { openModels } from "./inProcess.mjs";
import { forgetPeak, peakResidentBytes, residentBytes } from "./procfs.mjs";

const none = /** @type {const} */ ({ _tag: "None" });
const { models, secrets } = await openModels(/** @type {Record<string, string>} */ (process.env));
const settings = models.settings(models.configured, none);

const ask = async () => {
  const request = {
    settings,
    system: "",
    tools: [],
    history: [{ kind: "user", text: "Hello." }],
    maxOutputTokens: 1000,
  };
  const answer = await models.port.call(/** @type {any} */ (request), new AbortController().signal, () => undefined);
  if (answer.kind !== "replied") throw new Error(JSON.stringify(answer.failure));
  return secrets.redactEvent({ type: "modelReplied", reply: answer.reply });
};

// The first answer is small: what it makes the process load does not belong to the large one.
await ask();
globalThis.gc?.();
const before = (await residentBytes(process.pid)).rss;
await forgetPeak("self");
const event = await ask();
const peak = await peakResidentBytes("self");
process.send?.({ peak: peak - before, replied: event.type });
await models.close();
process.disconnect();
