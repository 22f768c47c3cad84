/**
 * The usual file of MCP servers, `{"mcpServers": {name: {command, args, env}}}`, turned into the list that `session/new`
 * carries. Only the frame of the file is judged here. Each entry is judged later, together with the client's own, so that one
 * malformed or remote entry is skipped and told instead of costing the rest.
 */
import * as E from "fp-ts/lib/Either.js";
import { isJsonObject, member, parseJson, type Json } from "../../core/json.js";

/** `{A: "1"}` of the file is `[{name: "A", value: "1"}]` in ACP. */
const pairs = (value: Json): Json =>
  isJsonObject(value) ? Object.entries(value).map(([name, each]) => ({ name, value: each })) : value;

const asAcpServer = (name: string, entry: Json): Json => {
  if (!isJsonObject(entry)) return { name, entry };
  const { env, headers, args, ...rest } = entry;
  return {
    ...rest,
    name,
    ...(typeof rest["url"] === "string" ? { type: rest["type"] ?? "http", headers: pairs(headers ?? {}) } : {}),
    ...(typeof rest["command"] === "string" ? { args: args ?? [], env: pairs(env ?? {}) } : {}),
  };
};

/** Entries as ACP's `mcpServers`, not yet judged; or what is wrong with the file, as the end of a sentence. */
export const parseMcpServersFile = (content: string): E.Either<string, readonly unknown[]> => {
  const parsed = parseJson(content);
  if (E.isLeft(parsed)) return E.left("is not JSON");
  const servers = member(parsed.right, "mcpServers");
  return isJsonObject(servers)
    ? E.right(Object.entries(servers).map(([name, entry]) => asAcpServer(name, entry)))
    : E.left("has no object mcpServers");
};
