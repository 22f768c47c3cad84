/** A run as text: what `turnfold replay` prints as a transcript, and what a regression test can keep. */
import { eventCodec, sessionCodec } from "../core/codec.js";
import type { Event, Session } from "../core/index.js";

/** The session before its first event on the first line, then an event a line, all JSON. */
export const eventLog = (start: Session, events: readonly Event[]): string =>
  [sessionCodec.encode(start), ...events.map((event) => eventCodec.encode(event))]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
