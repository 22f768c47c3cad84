/**
 * The commands of a trace, each an event or a question. A line `> command ...` is played, and what came of it is printed below it.
 *
 *   session maxRounds=1 window=2000 permissions=always    limits and settings; first line of a trace, if at all
 *   catalog fs__read fs__write:readOnly hooks fs:_Stop    the catalogue, complete unless `incomplete` is among the words
 *   prompt "text"     steer "text" [run=other]            cancel        close        settings model=m2 window=4000
 *   reply "text" thinking "why" call NAME {args} ... stop=cutOff usage=10/5/1/2/17 replay      (absent figures: `-`, overflow: `!`)
 *   fail contextExceeded "message"                        the model request fails
 *   summary "text" usage=...      summary fails
 *   tool NAME result "text" | error "text" | image | empty | rejected "m" | failed "m" | timedOut "m" | cancelled
 *   permission allowOnce          hooks fs "not yet"      drained       again (the last answer once more)
 *   show history | summary | handoff | tools                       prints what a request carries
 */
import type {
  Event,
  HookPoint,
  ModelReply,
  ReportedInput,
  ReportedUsage,
  RequestedCall,
  Settings,
  Stop,
  Tool,
  ToolOutcome,
} from "../../../src/core/index.js";
import type { Order, Play } from "../../../src/testing/index.js";
import { after, optionsOf, textOf, type Word } from "./words.js";

const none = { _tag: "None" } as const;
const some = <A>(value: A): { readonly _tag: "Some"; readonly value: A } => ({ _tag: "Some", value });

const attempts = { tries: 1, waitedMs: 0 };

export const settingsFrom = (words: readonly Word[], base: Settings): Settings => {
  const options = optionsOf(words);
  const authority = options.get("authority");
  return {
    ...base,
    model: options.get("model") ?? base.model,
    windowTokens: Number(options.get("window") ?? base.windowTokens),
    maxOutputTokens: Number(options.get("maxOutput") ?? base.maxOutputTokens),
    authority: authority === undefined ? base.authority : authority === "none" ? none : some(authority),
  };
};

const toolFrom = (word: string): Tool => {
  const [name = "", ...marks] = word.split(":");
  return {
    name,
    description: marks.includes("renewed") ? "Another description." : `What ${name} does.`,
    schema: '{"type":"object"}',
    readOnly: marks.includes("readOnly"),
    builtIn: marks.includes("builtIn"),
  };
};

const catalog = (words: readonly Word[]): Event => {
  const bare = words.slice(1).map(({ text }) => text);
  const at = bare.indexOf("hooks");
  const hooks = at < 0 ? [] : bare.slice(at + 1);
  const tools = (at < 0 ? bare : bare.slice(0, at)).filter((word) => word !== "incomplete");
  return {
    type: "catalogChanged",
    tools: tools.map(toolFrom),
    hooks: hooks.map((hook) => {
      const [server = "", point = ""] = hook.split(":");
      return { server, point: point as HookPoint };
    }),
    complete: !bare.includes("incomplete"),
  };
};

/** input/output/cacheRead/cacheWrite/total; `-` or nothing is absent, `!` an input sum that does not fit. */
const usageFrom = (figures: string | undefined): ReportedUsage => {
  const parts = (figures ?? "").split("/");
  const figure = (at: number) => {
    const part = parts[at];
    return part === undefined || part === "" || part === "-" ? none : some(BigInt(part));
  };
  const first = parts[0] === "!" ? none : figure(0);
  const input: ReportedInput =
    parts[0] === "!"
      ? { kind: "overflowed" }
      : first._tag === "None"
        ? { kind: "absent" }
        : { kind: "exact", tokens: first.value };
  return { input, output: figure(1), cacheRead: figure(2), cacheWrite: figure(3), total: figure(4) };
};

/** `call NAME ARGUMENTS`, as often as wanted; `calls=70` repeats the last one. */
const callsFrom = (words: readonly Word[]): readonly RequestedCall[] => {
  const calls = words.flatMap((word, at): readonly RequestedCall[] =>
    word.kind === "bare" && word.text === "call"
      ? [
          {
            providerId: `id${at}`,
            name: words[at + 1]?.text ?? "",
            argumentsText: words[at + 2]?.text ?? "",
            extra: "",
          },
        ]
      : [],
  );
  const wanted = Number(optionsOf(words).get("calls") ?? calls.length);
  const last = calls.at(-1);
  return last === undefined ? [] : [...calls, ...Array.from({ length: wanted - calls.length }, () => last)];
};

const stopFrom = (word: string | undefined, calls: readonly RequestedCall[]): Stop => {
  switch (word) {
    case undefined:
      return { kind: calls.length > 0 ? "toolUse" : "end" };
    case "cutOff":
      return { kind: "cutOff", by: "outputLimit" };
    case "windowFull":
      return { kind: "cutOff", by: "contextWindow" };
    case "end":
    case "toolUse":
    case "refusal":
      return { kind: word };
    default:
      return { kind: "unknown", raw: word };
  }
};

const replyFrom = (words: readonly Word[]): ModelReply => {
  const calls = callsFrom(words);
  const options = optionsOf(words);
  return {
    text: words[1]?.kind === "text" ? words[1].text : "",
    reasoning: after(words, "thinking") ?? "",
    calls,
    stop: stopFrom(options.get("stop"), calls),
    usage: usageFrom(options.get("usage")),
    replay: words.some(({ text }) => text === "replay")
      ? some({ dialect: "anthropic", model: "m1", json: '[{"type":"thinking","signature":"s"}]' })
      : none,
  };
};

const outcomeFrom = (words: readonly Word[]): ToolOutcome => {
  const kind = words[2]?.text ?? "";
  const text = textOf(words);
  const part = { kind: "text", text } as const;
  switch (kind) {
    case "result":
      return { kind: "result", parts: [part], isError: false };
    case "error":
      return { kind: "result", parts: [part], isError: true };
    case "empty":
      return { kind: "result", parts: [], isError: false };
    case "image":
      return {
        kind: "result",
        parts: [part, { kind: "image", mimeType: "image/png", dataBase64: "AAAA" }],
        isError: false,
      };
    case "rejected":
    case "failed":
    case "timedOut":
      return { kind, message: text };
    case "cancelled":
      return { kind };
    default:
      throw new Error(`no such tool outcome: ${kind}`);
  }
};

/** The one order of a type that is owed; of the tools the first that runs under the name. */
const owed = (play: Play, type: Order["type"], name?: string): { effect: number; turn: number } => {
  const order = play.orders.owed.find(
    (one) => one.type === type && (one.type !== "runTool" || name === undefined || one.name === name),
  );
  if (order === undefined) throw new Error(`nothing owed: ${type} ${name ?? ""}`);
  return { effect: order.id, turn: order.turn };
};

const hookOutputs = (words: readonly Word[]) =>
  words.flatMap((word, at) => (word.kind === "text" ? [{ server: words[at - 1]?.text ?? "", text: word.text }] : []));

const steer = (words: readonly Word[], play: Play): Event => {
  const { phase, turns } = play.session;
  const runId = optionsOf(words).get("run") ?? (phase.kind === "idle" ? `run-${turns}` : phase.turn.runId);
  const number = play.count;
  return {
    type: "steerReceived",
    request: `steer-${number}`,
    messageId: `message-${number}`,
    expectedRunId: runId,
    text: textOf(words),
  };
};

const failure = (words: readonly Word[]) => ({
  kind: (words[1]?.text ?? "") as Extract<Event, { type: "modelFailed" }>["failure"]["kind"],
  message: textOf(words),
  status: none,
});

/** The event that a command stands for. */
export const eventOf = (words: readonly Word[], play: Play): Event => {
  const name = words[0]?.text ?? "";
  switch (name) {
    case "catalog":
      return catalog(words);
    case "settings":
      return { type: "settingsChanged", settings: settingsFrom(words, play.session.settings) };
    case "prompt": {
      const number = play.session.turns + 1;
      const busy = play.session.phase.kind !== "idle";
      return {
        type: "promptReceived",
        request: busy ? "another" : `prompt-${number}`,
        runId: `run-${number}`,
        text: textOf(words),
      };
    }
    case "steer":
      return steer(words, play);
    case "cancel":
      return { type: "cancelRequested", drainMs: 5000 };
    case "close":
      return { type: "closeRequested", drainMs: 5000 };
    case "reply":
      return { type: "modelReplied", reply: replyFrom(words), attempts, ...owed(play, "callModel") };
    case "fail":
      return { type: "modelFailed", failure: failure(words), attempts, ...owed(play, "callModel") };
    case "summary":
      return words[1]?.text === "fails" && words[1].kind === "bare"
        ? {
            type: "summaryFailed",
            failure: { kind: "serverError", message: "busy", status: none },
            attempts,
            ...owed(play, "summarise"),
          }
        : { type: "summaryReplied", reply: replyFrom(words), attempts, ...owed(play, "summarise") };
    case "tool":
      return { type: "toolFinished", outcome: outcomeFrom(words), ...owed(play, "runTool", words[1]?.text) };
    case "permission":
      return {
        type: "permissionAnswered",
        answer: (words[1]?.text ?? "") as Extract<Event, { type: "permissionAnswered" }>["answer"],
        ...owed(play, "askPermission"),
      };
    case "hooks":
      return { type: "hooksAnswered", outputs: hookOutputs(words), ...owed(play, "callHooks") };
    case "drained":
      return { type: "drainExpired", ...owed(play, "startTimer") };
    case "again": {
      const last = play.given.at(-1);
      if (last === undefined) throw new Error("nothing was answered yet");
      return last;
    }
    default:
      throw new Error(`no such command: ${name}`);
  }
};
