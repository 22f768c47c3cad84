/** The provider reached and the model known: one request, as small as it may be. */
import { none } from "fp-ts/lib/Option.js";
import type { ModelReply, ModelRequest } from "../../core/model.js";
import type { Config } from "../config/config.js";
import type { Log } from "../log.js";
import { openModels } from "../model/models.js";
import { seconds } from "../model/timing.js";
import type { Secrets } from "../secrets.js";
import type { Finding } from "./check.js";

/** The smallest limit that every provider takes. */
const OUTPUT_TOKENS = 16;

const tokensOf = ({ usage }: ModelReply): string => {
  const input = usage.input.kind === "exact" ? String(usage.input.tokens) : "unknown";
  const output = usage.output._tag === "Some" ? String(usage.output.value) : "unknown";
  return `${input} tokens in, ${output} out`;
};

export const checkModel = async (config: Config, secrets: Secrets, log: Log): Promise<Finding> => {
  const { provider, model } = config;
  const models = openModels(config, secrets, log);
  const settings = { ...models.settings(model, none), maxOutputTokens: OUTPUT_TOKENS };
  const request: ModelRequest = {
    settings,
    system: "",
    tools: [],
    history: [{ kind: "user", turn: 1, origin: "prompt", text: "Say ok." }],
    maxOutputTokens: OUTPUT_TOKENS,
  };
  const start = performance.now();
  const answer = await models.port.call(request, new AbortController().signal, () => undefined);
  await models.close();
  const head = `${provider.title} at ${provider.baseUrl}`;
  if (answer.kind === "failed") return { ok: false, lines: [head, answer.failure.message] };
  const took = seconds(performance.now() - start);
  return { ok: true, lines: [head, `${model} answered in ${took} (${tokensOf(answer.reply)})`] };
};
