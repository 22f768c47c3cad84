/** What buzz-acp sends, and what it makes of the answers (`spec/memory-agent-and-harness.md` 2.7, 2.8 and 3). */
import { textBlocks } from "./buzzPrompt.js";
import { type Frame, type RawClient } from "./rawClient.js";

/** How long a helper waits for its answers, and how long a cancelled turn may take before its process is killed. */
export const HANDSHAKE_MS = 10_000;
export const DRAIN_MS = 5000;

const STOP_REASONS = ["end_turn", "cancelled", "max_tokens", "max_turn_requests", "refusal"];

export interface BuzzClient {
  readonly raw: RawClient;
  /** Resolves with the result. Throws where the harness would replace the process. */
  readonly handshake: (protocolVersion?: 1 | 2) => Promise<Frame>;
  readonly newSession: (params?: object) => Promise<string>;
  /** Resolves with the stop reason. */
  readonly prompt: (sessionId: string, blocks: readonly string[], id?: unknown) => Promise<string>;
  readonly cancel: (sessionId: string) => void;
  /** All the text that the agent has said in the session. */
  readonly said: (sessionId: string) => string;
}

export const buzzClient = (raw: RawClient): BuzzClient => {
  let requests = -1;
  const request = async (method: string, params: object, id?: unknown): Promise<Frame> => {
    requests += 1;
    return raw.request(method, params, id ?? requests);
  };
  const result = (answer: Frame): Frame => {
    if (answer.result === undefined) throw new Error(`the harness would retry: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };

  return {
    raw,
    handshake: async (protocolVersion = 2) => {
      const began = performance.now();
      const initialized = result(
        await request("initialize", {
          protocolVersion,
          clientCapabilities: {
            auth: { terminal: true },
            _meta: { goose: { customNotifications: true }, "terminal-auth": true },
          },
          clientInfo: { name: "buzz-acp", version: "0.1.0" },
        }),
      );
      if (performance.now() - began > HANDSHAKE_MS) throw new Error("the harness would have given up");
      return initialized;
    },
    newSession: async (params = {}) => {
      const answer = await request("session/new", {
        cwd: "/",
        mcpServers: [],
        systemPrompt: `[Base]\n${"You answer in channels. Every message begins with a [Context] block. ".repeat(400)}`,
        _meta: { sessionTitle: "Recall Bot · #team-notes" },
        ...params,
      });
      return result(answer).sessionId as string;
    },
    prompt: async (sessionId, blocks, id) => {
      const { stopReason } = result(await request("session/prompt", { sessionId, prompt: textBlocks(blocks) }, id));
      if (!STOP_REASONS.includes(stopReason)) throw new Error(`the harness would replace the process: ${stopReason}`);
      return stopReason as string;
    },
    cancel: (sessionId) => {
      raw.notify("session/cancel", { sessionId });
    },
    said: (sessionId) =>
      raw
        .updates(sessionId)
        .filter((update) => update.sessionUpdate === "agent_message_chunk")
        .map((update) => update.content.text as string)
        .join(""),
  };
};
