/** A turn as standard ACP tells it: the cost is cumulative, the tokens are those of the prompt alone (`spec/usage.md` 1.6). */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { costSince, unknownCounts, type Counts } from "./counts.js";

/** The session's cumulative cost at the end of the last turn. Broken for good once it has fallen. */
export type Charge = { readonly kind: "at"; readonly costUsd: Option<number> } | { readonly kind: "broken" };

/** A session that was attached to: the first cost only says where it stands. */
export const unknownCharge: Charge = { kind: "at", costUsd: none };
export const zeroCharge: Charge = { kind: "at", costUsd: some(0) };

export interface ChargedTurn {
  readonly turn: Option<Counts>;
  readonly cumulative: Option<Counts>;
}

/** The charge after the turn, and what is known of the turn; None if nothing is. */
export const chargeTurn = (
  charge: Charge,
  costUsd: Option<number>,
  promptUsage: Option<Counts>,
): readonly [Charge, Option<ChargedTurn>] => {
  const turnCost = charge.kind === "at" ? costSince(charge.costUsd, costUsd) : none;
  const known = isSome(promptUsage) || isSome(costUsd);
  const reliable = isSome(promptUsage) || isSome(turnCost);
  const tokens = isSome(promptUsage) ? promptUsage.value : unknownCounts;
  return [
    advance(charge, costUsd),
    known
      ? some({
          turn: reliable ? some({ ...tokens, costUsd: turnCost }) : none,
          // The tokens are not cumulative, so only the cost is.
          cumulative: isSome(costUsd) ? some({ ...unknownCounts, costUsd }) : none,
        })
      : none,
  ];
};

const advance = (charge: Charge, costUsd: Option<number>): Charge => {
  if (charge.kind === "broken" || !isSome(costUsd)) return charge;
  const fell = isSome(charge.costUsd) && costUsd.value < charge.costUsd.value;
  return fell ? { kind: "broken" } : { kind: "at", costUsd };
};
