/** What becomes of an update: frames of the standard, extension frames, or a line on stderr and a thought in the next turn. */
import type { JsonObject } from "../../core/json.js";
import type { Update } from "../../core/update.js";
import { createSessionCost } from "../ledger/sessionCost.js";
import type { Log } from "../log.js";
import { encodeUpdate, said, type Encoded, type Told } from "./encode.js";
import type { ClientTraits } from "./initialize.js";

/** For the updates of one session, in order. */
export type Tell = (update: Update) => void;

export interface TellingDeps {
  readonly sessionId: string;
  readonly traits: () => ClientTraits;
  readonly notify: (method: string, update: JsonObject) => void;
  readonly log: Log;
}

/** Notices that wait for the next turn; what is beyond has been on stderr. */
const TOLD_MAX = 20;

export const createTelling = ({ sessionId, traits, notify, log }: TellingDeps): Tell => {
  let waiting: Told[] = [];
  const cost = createSessionCost();

  const put = (encoded: Encoded): void => {
    switch (encoded.kind) {
      case "standard":
        return notify("session/update", encoded.update);
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

  return (update) => {
    encodeUpdate(update, traits(), cost(update)).forEach(put);
    if (update.kind === "turnStarted") tellWaiting(update.runId);
  };
};
