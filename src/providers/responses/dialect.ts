import type { Dialect } from "../dialect.js";
import type { Host } from "../failure.js";
import { decodeWith } from "../reading.js";
import { readResponses, RESPONSES_REPLY } from "./decode.js";
import { encodeResponses, encodeResponsesSummary, type ResponsesEndpoint } from "./encode.js";
import { RESPONSES } from "./input.js";

/** OpenAI Responses, at OpenAI itself or at a gateway. */
export const responsesDialect = (host: Host, endpoint: ResponsesEndpoint): Dialect => ({
  name: RESPONSES,
  encode: encodeResponses(endpoint),
  encodeSummary: encodeResponsesSummary(endpoint),
  decode: decodeWith(host, RESPONSES_REPLY, readResponses),
});
