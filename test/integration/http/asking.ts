/** The real model port over the real undici, with a dialect so small that only the transport can be at fault. */
import * as O from "fp-ts/lib/Option.js";
import { onTestFinished } from "vitest";
import type { ModelReply, ModelRequest } from "../../../src/core/model.js";
import { defaultShellLimits, type ShellLimits } from "../../../src/core/policy.js";
import type { Decoded, Dialect } from "../../../src/providers/dialect.js";
import type { NetworkSettings } from "../../../src/shell/config/network.js";
import { systemClock } from "../../../src/shell/model/clock.js";
import { staticCredential, type Credential } from "../../../src/shell/model/credential.js";
import { openConnections } from "../../../src/shell/model/dispatcher.js";
import { createModelPort, type Dialects } from "../../../src/shell/model/port.js";
import { createSend } from "../../../src/shell/model/send.js";
import type { ModelAnswer, OnWait } from "../../../src/shell/ports.js";
import { createSecrets } from "../../../src/shell/secrets.js";

export const KEY = "sk-test-0123456789abcdef";

export const reply = (text: string): ModelReply => ({
  text,
  reasoning: "",
  calls: [],
  stop: { kind: "end" },
  usage: { input: { kind: "absent" }, output: O.none, cacheRead: O.none, cacheWrite: O.none, total: O.none },
  replay: O.none,
});

const failure = (status: number, text: string, retry: "never" | "backoff"): Decoded => ({
  kind: "failure",
  failure: {
    kind: status === 401 ? "authentication" : "serverError",
    message: `${status} ${text}`,
    status: O.some(status),
  },
  retry: { kind: retry },
});

/** A 2xx that is a JSON string is a reply; 429 and 5xx are tried again, `retry-after-ms` is obeyed. */
export const plainDialect = (url: string, body: readonly string[] = ['{"x":', "1}"]): Dialect => ({
  name: "plain",
  encode: () => ({ url, headers: { "content-type": "application/json" }, body }),
  encodeSummary: () => ({ url, headers: {}, body: ["{}"] }),
  decode: ({ status, headers, body: text }): Decoded => {
    const after = headers["retry-after-ms"];
    if (after !== undefined) {
      const { failure: reason } = failure(status, text, "never") as Extract<Decoded, { kind: "failure" }>;
      return { kind: "failure", failure: reason, retry: { kind: "after", afterMs: Number(after) } };
    }
    if (status < 200 || status > 299)
      return failure(status, text, status === 429 || status >= 500 ? "backoff" : "never");
    return /^"[^"]*"$/.test(text)
      ? { kind: "reply", reply: reply(text.slice(1, -1)) }
      : failure(status, "no reply", "backoff");
  },
});

export const noNetwork: NetworkSettings = { httpProxy: O.none, httpsProxy: O.none, noProxy: "", authorities: [] };

export interface Asking {
  readonly limits?: Partial<ShellLimits>;
  readonly network?: Partial<NetworkSettings>;
  readonly credential?: Credential;
  readonly dialects?: Dialects;
  readonly body?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onWait?: OnWait;
  readonly logged?: string[];
}

/** Quick retries, and a try that may take 400 ms. */
const quick = { backoffBaseMs: 10, llmTimeoutSeconds: 0.4 };

export const request: ModelRequest = {
  settings: { model: "m-1", effort: O.none, windowTokens: 1000, maxOutputTokens: 10, authority: O.none },
  system: "",
  tools: [],
  history: [],
  maxOutputTokens: 10,
};

/** One port over one pool, asked as often as a test wants. */
export const modelPort = async (url: string, asking: Asking = {}) => {
  const limits = { ...defaultShellLimits, ...quick, ...asking.limits };
  const connections = await openConnections({ ...noNetwork, ...asking.network }, limits);
  onTestFinished(connections.close);
  const { redact } = createSecrets([KEY]);
  return createModelPort({
    title: "Test",
    dialects: asking.dialects ?? { dialectFor: () => plainDialect(url, asking.body), demandsUpgrade: () => false },
    credential:
      asking.credential ?? staticCredential({ kind: "key", header: "bearer", key: KEY, variable: "TEST_API_KEY" }),
    send: () => Promise.resolve(createSend(connections, limits, redact)),
    limits,
    clock: systemClock,
    random: () => 0.5,
    log: (level, message, fields) => {
      asking.logged?.push(redact(`${level} ${message} ${JSON.stringify(fields)}`));
    },
    redact,
  });
};

export const ask = async (url: string, asking: Asking = {}): Promise<ModelAnswer> => {
  const port = await modelPort(url, asking);
  const signal = asking.signal ?? new AbortController().signal;
  return port.call(request, signal, asking.onWait ?? (() => undefined));
};

/** The failure of an answer that must be one. None may hold the key. */
export const failed = (answer: ModelAnswer) => {
  if (answer.kind !== "failed") throw new Error("there was a reply");
  if (answer.failure.message.includes(KEY)) throw new Error("the key is in the message of a failure");
  return { kind: answer.failure.kind, message: answer.failure.message, tries: answer.attempts.tries };
};

/** Text of a reply that must be one, and the tries it took. */
export const replied = (answer: ModelAnswer) => {
  if (answer.kind !== "replied") throw new Error(answer.failure.message);
  return { text: answer.reply.text, tries: answer.attempts.tries };
};
