import type { Dialect } from "../dialect.js";
import type { Host } from "../failure.js";
import { decodeWith } from "../reading.js";
import { CHAT_REPLY, readChat } from "./decode.js";
import { type ChatEndpoint, encodeChat, encodeChatSummary } from "./encode.js";

/** Chat Completions, at whatever host speaks it. */
export const chatDialect = (host: Host, endpoint: ChatEndpoint): Dialect => ({
  name: endpoint.dialect,
  encode: encodeChat(endpoint),
  encodeSummary: encodeChatSummary(endpoint),
  decode: decodeWith(host, CHAT_REPLY, readChat(endpoint)),
});
