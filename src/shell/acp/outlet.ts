/** Everything that the client is told about one session goes through here, in order. */
import type { JsonObject } from "../../core/json.js";
import type { Update } from "../../core/update.js";
import { createSessionCost } from "../ledger/sessionCost.js";
import type { Log } from "../log.js";
import { notificationFrame } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import { encodeUpdate, heartbeat, said, type Encoded, type Told } from "./encode.js";
import { createHeartbeat } from "./heartbeat.js";
import type { ClientTraits } from "./initialize.js";

export interface Outlet {
  readonly publish: (update: Update) => void;
  /** One `session/update` body as it is. */
  readonly send: (update: JsonObject) => void;
  /** The client knows the session now: what was published before goes out, and everything from here on. */
  readonly open: () => void;
  readonly turnBegan: () => void;
  readonly turnOver: () => void;
  /** Nothing more is sent: the client has forgotten the session. */
  readonly mute: () => void;
}

export interface OutletDeps {
  readonly sessionId: string;
  readonly writer: Writer;
  readonly traits: () => ClientTraits;
  readonly heartbeatMs: number;
  readonly log: Log;
}

/** Notices that wait for the next turn; what is beyond has been on stderr. */
const TOLD_MAX = 20;

export const createOutlet = ({ sessionId, writer, traits, heartbeatMs, log }: OutletDeps): Outlet => {
  let state: "held" | "open" | "muted" = "held";
  const held: Encoded[] = [];
  let waiting: Told[] = [];
  const cost = createSessionCost();
  const pulse = createHeartbeat(heartbeatMs, () => {
    send(heartbeat);
  });

  const notify = (method: string, update: JsonObject): void => {
    if (state !== "open") return;
    writer.send(notificationFrame(method, { sessionId, update }));
    pulse.sent();
  };
  const send = (update: JsonObject): void => {
    notify("session/update", update);
  };

  const put = (encoded: Encoded): void => {
    // An update for a session whose id has not been told yet is an error to many clients (`spec/acp.md` 3.4 #21).
    if (state === "held") {
      held.push(encoded);
      return;
    }
    switch (encoded.kind) {
      case "standard":
        return send(encoded.update);
      case "goose":
        return notify("_goose/unstable/session/update", encoded.update);
      case "told":
        return remember(encoded.told);
    }
  };

  const remember = (told: Told): void => {
    log(told.severity === "warning" ? "warn" : told.severity, told.title, { session: sessionId, detail: told.detail });
    if (waiting.length < TOLD_MAX) waiting.push(told);
  };

  /** A client without notices is told at the start of a turn, when it surely shows what comes. */
  const tellWaiting = (runId: string): void => {
    if (waiting.length === 0) return;
    const text = waiting.map(({ title, detail }) => (detail === "" ? title : `${title}: ${detail}`)).join("\n");
    waiting = [];
    said("agent_thought_chunk", `${runId}-notices`, text).forEach(put);
  };

  return {
    publish: (update) => {
      encodeUpdate(update, traits(), cost(update)).forEach(put);
      if (update.kind === "turnStarted") tellWaiting(update.runId);
    },
    send,
    open: () => {
      state = "open";
      held.splice(0).forEach(put);
    },
    turnBegan: pulse.start,
    turnOver: pulse.stop,
    mute: () => {
      state = "muted";
      pulse.stop();
    },
  };
};
