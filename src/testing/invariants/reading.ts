/** The measurement that the handoff gate goes by (`spec/turn-loop.md` 4.1, F36): it dies with the history that it measured. */
import type { Reading } from "../../core/index.js";
import { equal } from "../equal.js";
import { valueOf } from "../option.js";
import type { Watched } from "../orders.js";
import { along, effectsOf, unless, updatesOf, type Invariant } from "./invariant.js";

interface Measured {
  readonly reading: Reading | undefined;
  /** Pressure of the history that the request carries that is out. */
  readonly sentBytes: number;
}

/** Input tokens of an awaited ordinary reply that say something: exact, and not zero. */
const measuredTokens = ({ event, answered }: Watched): number | undefined => {
  if (answered === undefined || event.type !== "modelReplied" || event.reply.usage.input.kind !== "exact")
    return undefined;
  const { tokens } = event.reply.usage.input;
  return tokens === 0n ? undefined : Math.min(Number(tokens), Number.MAX_SAFE_INTEGER);
};

const isHandedOver = ({ effects }: Watched): boolean =>
  updatesOf(effects, "handoffEnded").some(({ status }) => status === "completed");

const readingAfter = (state: Measured, watched: Watched): Reading | undefined => {
  if (isHandedOver(watched)) return undefined;
  const inputTokens = measuredTokens(watched);
  return inputTokens === undefined ? state.reading : { inputTokens, pressureBytes: state.sentBytes };
};

/** Tokens and size are replaced together by each ordinary reply that says something, and cleared together by each handoff. */
export const readingIsTheLastMeasurement: Invariant = along<Measured>(
  { reading: undefined, sentBytes: 0 },
  (state, watched) => {
    const reading = readingAfter(state, watched);
    const asked = effectsOf(watched.effects, "callModel").length > 0;
    const sentBytes = asked ? watched.after.history.pressureBytes : state.sentBytes;
    return [
      { reading, sentBytes },
      unless(equal(valueOf(watched.after.reading), reading), "the reading is another one"),
    ];
  },
);
