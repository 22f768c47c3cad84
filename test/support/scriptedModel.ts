/** A model server on loopback that says exactly what a test wants, in either dialect, down to the digits of a counter. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Dialect = "chat" | "messages";

export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown; readonly id?: string }[];
  /** JSON text of the usage object, so that counters of any size can be sent. */
  readonly usage?: string;
  readonly stop?: string;
}

export interface RawResponse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SeenRequest {
  readonly path: string;
  /** Whatever was sent; expectations judge it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** The agent hung up before the answer. */
  aborted: boolean;
}

/** "hang": no answer at all. */
export type Answer = ScriptedReply | RawResponse | "hang";
export type Line = Answer | ((request: SeenRequest) => Answer | Promise<Answer>);

export interface ScriptedModel {
  readonly requests: readonly SeenRequest[];
  /** Variables that make the agent use it. */
  readonly env: Readonly<Record<string, string>>;
  /** The next answers, in order; the last one is repeated. */
  readonly say: (...lines: readonly Line[]) => void;
  readonly until: (what: string, test: (requests: readonly SeenRequest[]) => boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

const chatBody = ({ text, calls = [], usage, stop }: ScriptedReply): string => {
  const toolCalls = calls.map((call, index) => ({
    id: call.id ?? `call_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const message = { role: "assistant", content: text ?? null, ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) };
  const choices = [{ index: 0, message, finish_reason: stop ?? (calls.length > 0 ? "tool_calls" : "stop") }];
  const head = JSON.stringify({ id: "c1", object: "chat.completion", created: 1, model: "scripted", choices });
  return usage === undefined ? head : `${head.slice(0, -1)},"usage":${usage}}`;
};

const messagesBody = ({ text, calls = [], usage, stop }: ScriptedReply): string => {
  const toolUses = calls.map((call, index) => ({
    type: "tool_use",
    id: call.id ?? `toolu_${index}`,
    name: call.name,
    input: call.arguments,
  }));
  const content = [...(text === undefined ? [] : [{ type: "text", text }]), ...toolUses];
  const reason = stop ?? (calls.length > 0 ? "tool_use" : "end_turn");
  const head = {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content,
    stop_reason: reason,
    stop_sequence: null,
  };
  return `${JSON.stringify(head).slice(0, -1)},"usage":${usage ?? '{"input_tokens":10,"output_tokens":5}'}}`;
};

const environment = (dialect: Dialect, origin: string): Record<string, string> =>
  dialect === "chat"
    ? {
        BUZZ_AGENT_PROVIDER: "openai",
        BUZZ_AGENT_MODEL: "scripted",
        OPENAI_COMPAT_API: "chat",
        OPENAI_COMPAT_API_KEY: "test-key-0001",
        OPENAI_COMPAT_BASE_URL: `${origin}/v1`,
      }
    : {
        BUZZ_AGENT_PROVIDER: "anthropic",
        BUZZ_AGENT_MODEL: "scripted",
        ANTHROPIC_API_KEY: "test-key-0001",
        ANTHROPIC_BASE_URL: origin,
      };

export const startScriptedModel = async (dialect: Dialect = "chat"): Promise<ScriptedModel> => {
  const requests: SeenRequest[] = [];
  const looks = new Set<() => void>();
  let script: readonly Line[] = [{ text: "ok" }];
  const changed = (): void => {
    for (const look of looks) look();
  };
  const next = (): Line => {
    const [first = { text: "ok" }, ...rest] = script;
    if (rest.length > 0) script = rest;
    return first;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString() || "{}");
    const seen: SeenRequest = { path: request.url ?? "", body, aborted: false };
    response.on("close", () => {
      seen.aborted = !response.writableEnded;
      changed();
    });
    requests.push(seen);
    const line = next();
    changed();
    const answer = typeof line === "function" ? await line(seen) : line;
    if (answer === "hang") return;
    const reply =
      "status" in answer ? answer : { status: 200, body: dialect === "chat" ? chatBody(answer) : messagesBody(answer) };
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body);
  };
  const server = createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    requests,
    env: environment(dialect, `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    say: (...lines) => {
      script = lines;
    },
    until: async (what, test) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          looks.delete(look);
        };
        const look = (): void => {
          if (!test(requests)) return;
          stop();
          resolve();
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`the model has not seen ${what}`));
        }, 15_000);
        looks.add(look);
        look();
      }),
    close: async () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
};
