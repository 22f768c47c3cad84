/** The head of a round (`spec/turn-loop.md` 1): limits, steers, handoff gate, truncation, and then the request. */
import { fixedPart, outputLimit } from "./capacity.js";
import { gate } from "./gate.js";
import { startProactiveHandoff } from "./handoffStart.js";
import type { Settings, Tool } from "./model.js";
import type { SentRequest } from "./session.js";
import { truncate } from "./truncate.js";
import { deliverSteers, stopTurn } from "./turn.js";
import type { Accumulator } from "./usage.js";
import { mintEffectId, tell, type OpenTurn, type Work } from "./work.js";

/** Tokens that count against the cap: a value that overflowed has used it up, one that was never seen counts nothing. */
const capTokens = (accumulator: Accumulator, cap: number): bigint =>
  accumulator.kind === "exact" ? accumulator.tokens : accumulator.kind === "broken" ? BigInt(cap) : 0n;

const limitReached = (work: Work, turn: OpenTurn): boolean => {
  const { maxRounds, maxTurnTokens } = work.session.policy;
  const { input, output } = turn.usage;
  return (
    (maxRounds > 0 && turn.roundsUsed >= maxRounds) ||
    (maxTurnTokens > 0 && capTokens(input, maxTurnTokens) + capTokens(output, maxTurnTokens) >= BigInt(maxTurnTokens))
  );
};

/** Begins the next round, or ends the turn at its limit; waiting steers join history either way. */
export const beginRound = (work: Work, turn: OpenTurn): void => {
  deliverSteers(work, turn);
  if (limitReached(work, turn)) return stopTurn(work, turn, "max_turn_requests");
  const decision = gate(work, turn);
  if (decision.kind === "handOff") return startProactiveHandoff(work, turn, decision.projectedTokens);
  sendRequest(work, turn);
};

/** The part of the head behind the gate: at most one handoff attempt a head, whatever its outcome. */
export const sendRequest = (work: Work, turn: OpenTurn): void => {
  const { session } = work;
  deliverSteers(work, turn);
  truncate(work, turn);
  const { tools, leftOut } = fixedPart(session);
  tellLeftOut(work, leftOut);
  turn.round += 1;
  turn.roundsUsed += 1;
  const history = session.history;
  session.carriedLength = history.length;
  const id = mintEffectId(work);
  const sent = sentRequest(work, turn, id, session.settings, tools);
  session.phase = { kind: "awaitingModel", turn, sent };
  work.emit({
    type: "callModel",
    id,
    turn: turn.number,
    round: turn.round,
    history: { revision: history.revision, length: history.length },
  });
};

const sentRequest = (
  work: Work,
  turn: OpenTurn,
  effect: number,
  settings: Settings,
  tools: readonly Tool[],
): SentRequest => ({
  effect,
  turn: turn.number,
  settings,
  tools,
  maxOutputTokens: outputLimit(settings),
  pressureBytes: work.session.history.pressureBytes,
});

/** Told when it changes, not at every request. */
const tellLeftOut = (work: Work, leftOut: number): void => {
  if (leftOut > 0 && leftOut !== work.session.toolsLeftOut) {
    tell(
      work,
      "warning",
      `${leftOut} tools left out`,
      `System text and tools fill half of the context window of ${work.session.settings.model}; the last ${leftOut} tools in server order are not offered. Connect fewer servers, or use a model with a larger window.`,
    );
  }
  work.session.toolsLeftOut = leftOut;
};
