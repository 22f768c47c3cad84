/**
 * `initialize`: answered from constants, with nothing loaded (`spec/acp.md` 3.3 #1), and what it settled about the client.
 */
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { isJsonObject, member, type Json } from "../../core/json.js";
import type { RpcError } from "../stdio/envelope.js";
import type { AgentIdentity, TerminalLogin } from "./agent.js";
import { invalidParams } from "./errors.js";

/** What this connection may be sent beyond the stable v1 kinds. */
export interface ClientTraits {
  /** Version 2 is the buzz dialect: the wire of v1, and a root string `systemPrompt` in `session/new`. */
  readonly version: 1 | 2;
  readonly notices: boolean;
  readonly compaction: boolean;
  /** Extension notifications (`_goose/…`). */
  readonly goose: boolean;
  /** It can start this program in a terminal for a person to sign in. */
  readonly terminalAuth: boolean;
}

export const unknownClient: ClientTraits = {
  version: 1,
  notices: false,
  compaction: false,
  goose: false,
  terminalAuth: false,
};

/**
 * A v1-shaped request for exactly 2 is buzz-acp's and gets 2; everything else gets 1, the only version we have. A v2-shaped
 * request carries `info`.
 */
export const readInitialize = (params: Json): Either<RpcError, ClientTraits> => {
  const requested = member(params, "protocolVersion");
  const isInteger = typeof requested === "bigint" || (typeof requested === "number" && Number.isInteger(requested));
  if (!isInteger || requested < 0)
    return left(invalidParams("initialize", "protocolVersion must be an unsigned integer"));
  const capabilities = member(params, "clientCapabilities");
  const session = member(capabilities, "session");
  const customNotifications = member(member(member(capabilities, "_meta"), "goose"), "customNotifications");
  const version = requested === 2 && member(params, "info") === undefined ? 2 : 1;
  return right({
    version,
    // A capability is an object; absent and null both mean that there is none.
    notices: isJsonObject(member(session, "notices")),
    compaction: isJsonObject(member(session, "compaction")),
    terminalAuth: member(member(capabilities, "auth"), "terminal") === true,
    goose: version === 2 || customNotifications === true || isJsonObject(customNotifications),
  });
};

/** The logins that this client may offer to its person; others would be buttons that do nothing (`spec/acp.md` 1.4). */
export const offeredLogins = (
  { authMethods }: AgentIdentity,
  { terminalAuth }: ClientTraits,
): readonly TerminalLogin[] => (terminalAuth ? authMethods : []);

export const initializeResult = (identity: AgentIdentity, traits: ClientTraits): Json => ({
  protocolVersion: traits.version,
  agentInfo: { name: identity.name, title: identity.title, version: identity.version },
  agentCapabilities: {
    loadSession: false,
    promptCapabilities: { image: false, audio: false, embeddedContext: true },
    mcpCapabilities: { http: false, sse: false },
    sessionCapabilities: { close: {} },
  },
  authMethods: offeredLogins(identity, traits).map(({ id, name, description, args }) => ({
    type: "terminal",
    id,
    name,
    description,
    args: [...args],
  })),
});
