/**
 * Session, events and effects as JSON values and back, for records, replays and tests. `step` does not use them: it takes and
 * gives the types themselves. Counters become decimal strings, an absent option becomes null, everything else is itself.
 *
 * Decoding is strict: unknown or missing keys are errors, and `explain` turns errors into one line that names their paths.
 */
import { effect } from "./codec/effect.js";
import { event } from "./codec/event.js";
import { policy, session } from "./codec/session.js";

export { explain } from "./codec/explain.js";
export type { Codec } from "./codec/basics.js";

export const sessionCodec = session;
export const eventCodec = event;
export const effectCodec = effect;
/** Part of a session; a record's header holds it. */
export const policyCodec = policy;
