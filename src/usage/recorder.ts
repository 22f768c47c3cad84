/**
 * Usage read off the wire, as a reducer: every frame between a client and an agent goes in, in the order in which it passed, and
 * the records of finished turns come out. It only reads; what it cannot read it names, and goes on.
 *
 * Of a frame only the members that matter are looked at, by their text: a prompt may be megabytes of images.
 */
import { isLeft } from "fp-ts/lib/Either.js";
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { member, parseJson, type Json } from "../core/json.js";
import { rawMembers } from "../core/rawJson.js";
import type { StopReason } from "./metric.js";
import { stopReasonOf } from "./metric.js";
import { readSnapshot } from "./notification.js";
import { readPromptUsage, readStandardCost, type Adapter } from "./standard.js";
import { emptyTracker, openTurns, trackUsage, type TurnUsage, type UsageEvent, type UsageTracker } from "./tracker.js";

/** A request of the client whose answer matters. */
type Asked = { readonly kind: "newSession" } | { readonly kind: "prompt"; readonly session: string };

export interface Recorder {
  readonly adapter: Adapter;
  /** By the id, with its type. */
  readonly asked: ReadonlyMap<string, Asked>;
  readonly tracker: UsageTracker;
}

export interface RecordedTurn {
  readonly usage: TurnUsage;
  readonly stopReason: StopReason;
}

/** What one frame led to. */
export interface Recording {
  readonly recorder: Recorder;
  readonly turns: readonly RecordedTurn[];
  /** One line each, of what could not be read. */
  readonly faults: readonly string[];
}

type Members = ReadonlyMap<string, string>;

const NO_MEMBERS: Members = new Map();

export const newRecorder = (adapter: Adapter): Recorder => ({ adapter, asked: new Map(), tracker: emptyTracker });

const unchanged = (recorder: Recorder): Recording => ({ recorder, turns: [], faults: [] });

const valueOf = (text: string | undefined): Json | undefined => {
  const parsed = text === undefined ? undefined : parseJson(text);
  return parsed === undefined || isLeft(parsed) ? undefined : parsed.right;
};

const textOf = (members: Members, key: string): Option<string> => {
  const value = valueOf(members.get(key));
  return typeof value === "string" ? some(value) : none;
};

/** Map key of a JSON-RPC id; None where there is none. */
const idOf = (members: Members): Option<string> => {
  const id = valueOf(members.get("id"));
  return id === undefined || typeof id === "object" ? none : some(`${typeof id}:${String(id)}`);
};

const membersOf = (members: Members, key: string): Members => {
  const text = members.get(key);
  return text === undefined ? NO_MEMBERS : rawMembers(text);
};

const track = (recorder: Recorder, event: UsageEvent, stopReason: StopReason): Recording => {
  const [tracker, usage] = trackUsage(recorder.tracker, event);
  const turns = isSome(usage) ? [{ usage: usage.value, stopReason }] : [];
  return { recorder: { ...recorder, tracker }, turns, faults: [] };
};

const ask = (recorder: Recorder, id: Option<string>, asked: Asked): Recorder =>
  isSome(id) ? { ...recorder, asked: new Map(recorder.asked).set(id.value, asked) } : recorder;

const isPrompted = (recorder: Recorder, session: string): boolean => {
  for (const asked of recorder.asked.values()) if (asked.kind === "prompt" && asked.session === session) return true;
  return false;
};

const start = (recorder: Recorder, session: string): Recorder => ({
  ...recorder,
  tracker: trackUsage(recorder.tracker, { kind: "turnStarted", session })[0],
});

/** A frame from the client to the agent, without its line feed. */
export const recordClientFrame = (recorder: Recorder, frame: string): Recording => {
  const members = rawMembers(frame);
  const method = textOf(members, "method");
  if (!isSome(method)) return unchanged(recorder);
  if (method.value === "session/new") return unchanged(ask(recorder, idOf(members), { kind: "newSession" }));
  const session = method.value === "session/prompt" ? textOf(membersOf(members, "params"), "sessionId") : none;
  if (!isSome(session)) return unchanged(recorder);
  // A second prompt behind a running one (refused, or queued) is no turn yet. One without an id is never answered.
  const started = isPrompted(recorder, session.value) ? recorder : start(recorder, session.value);
  return unchanged(ask(started, idOf(members), { kind: "prompt", session: session.value }));
};

/** A frame from the agent to the client. */
export const recordAgentFrame = (recorder: Recorder, frame: string): Recording => {
  const members = rawMembers(frame);
  const method = textOf(members, "method");
  if (!isSome(method)) return recordAnswer(recorder, members);
  if (method.value === "session/update") return recordUpdate(recorder, frame, members, readStandard);
  if (method.value === "_goose/unstable/session/update") return recordUpdate(recorder, frame, members, readGoose);
  return unchanged(recorder);
};

type ReadUpdate = (recorder: Recorder, session: string, update: Json | undefined) => Recording;

/** `usage_update` exists in two methods with two shapes (`spec/usage.md` 1.5). */
const recordUpdate = (recorder: Recorder, frame: string, members: Members, read: ReadUpdate): Recording => {
  const kind = textOf(membersOf(membersOf(members, "params"), "update"), "sessionUpdate");
  if (!isSome(kind) || kind.value !== "usage_update") return unchanged(recorder);
  const params = member(valueOf(frame), "params");
  const session = member(params, "sessionId");
  return typeof session === "string"
    ? read(recorder, session, member(params, "update"))
    : { recorder, turns: [], faults: ["a usage notification without a session was ignored"] };
};

const readGoose: ReadUpdate = (recorder, session, update) => {
  const snapshot = readSnapshot(update);
  if (isLeft(snapshot)) {
    const fault = `a usage notification was ignored: ${snapshot.left}`;
    return { ...track(recorder, { kind: "notificationRefused", session }, "unknown"), faults: [fault] };
  }
  return track(recorder, { kind: "usageNotified", session, snapshot: snapshot.right }, "unknown");
};

const readStandard: ReadUpdate = (recorder, session, update) => {
  const cost = recorder.adapter.cost ? readStandardCost(update) : none;
  return isSome(cost)
    ? track(recorder, { kind: "costNotified", session, costUsd: cost.value }, "unknown")
    : unchanged(recorder);
};

const recordAnswer = (recorder: Recorder, members: Members): Recording => {
  const id = idOf(members);
  const asked = isSome(id) ? recorder.asked.get(id.value) : undefined;
  if (!isSome(id) || asked === undefined) return unchanged(recorder);
  const left = new Map(recorder.asked);
  left.delete(id.value);
  const answered = { ...recorder, asked: left };
  const result = membersOf(members, "result");
  if (asked.kind === "prompt") {
    return members.has("result")
      ? endTurn(answered, asked.session, result)
      : failTurn(answered, asked.session, members);
  }
  const session = textOf(result, "sessionId");
  return isSome(session)
    ? track(answered, { kind: "sessionCreated", session: session.value }, "unknown")
    : unchanged(answered);
};

const endTurn = (recorder: Recorder, session: string, result: Members): Recording => {
  const reason = textOf(result, "stopReason");
  const promptUsage = readPromptUsage(recorder.adapter, valueOf(result.get("usage")));
  const ended = track(
    recorder,
    { kind: "turnEnded", session, promptUsage },
    isSome(reason) ? stopReasonOf(reason.value) : "unknown",
  );
  // The agent goes on with the next prompt that it was sent meanwhile.
  return isPrompted(recorder, session) ? { ...ended, recorder: start(ended.recorder, session) } : ended;
};

const REQUEST_CANCELLED = -32800;

/** With another prompt of the session still out, the refused one was no turn. */
const failTurn = (recorder: Recorder, session: string, members: Members): Recording => {
  if (isPrompted(recorder, session)) return unchanged(recorder);
  const cancelled = member(valueOf(members.get("error")), "code") === REQUEST_CANCELLED;
  return track(recorder, { kind: "turnEnded", session, promptUsage: none }, cancelled ? "cancelled" : "error");
};

/** The agent is gone: every turn that was open ended with it. */
export const recordEnd = (recorder: Recorder): Recording => {
  let ended = unchanged(recorder);
  for (const session of openTurns(recorder.tracker)) {
    const next = track(ended.recorder, { kind: "turnEnded", session, promptUsage: none }, "error");
    ended = { ...next, turns: [...ended.turns, ...next.turns] };
  }
  return ended;
};
