import type { Dialect } from "../dialect.js";
import type { Host } from "../failure.js";
import { decodeWith } from "../reading.js";
import { ANTHROPIC_REPLY, readAnthropic } from "./decode.js";
import { type AnthropicEndpoint, encodeAnthropic, encodeAnthropicSummary } from "./encode.js";
import { ANTHROPIC } from "./messages.js";

/** Anthropic Messages, at Anthropic itself or at a gateway. */
export const anthropicDialect = (host: Host, endpoint: AnthropicEndpoint): Dialect => ({
  name: ANTHROPIC,
  encode: encodeAnthropic(endpoint),
  encodeSummary: encodeAnthropicSummary(endpoint),
  decode: decodeWith(host, ANTHROPIC_REPLY, readAnthropic),
});
