/** Arguments of a call: JSON text that parses to an object, or the reason why they are not (`spec/turn-loop.md` 2; F22, F23, F28). */
import { left, right, type Either } from "fp-ts/lib/Either.js";
import { oneLine, wellFormed } from "./text.js";

/** How much of bad arguments is quoted back to the model, in bytes. */
const QUOTED_BYTES = 200;

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "an array" : typeof value === "object" ? "null" : `a ${typeof value}`;

/** Absent arguments, "" and `null` mean an empty object. Left: one line for the model. */
export const judgeArguments = (argumentsText: string): Either<string, string> => {
  if (argumentsText.trim() === "") return right("{}");
  let value: unknown;
  try {
    value = JSON.parse(argumentsText);
  } catch {
    return left(
      `The arguments are not valid JSON, so the tool was not run: ${oneLine(argumentsText, QUOTED_BYTES)} - send one JSON object.`,
    );
  }
  if (value === null) return right("{}");
  if (typeof value !== "object" || Array.isArray(value)) {
    return left(`The arguments are ${kindOf(value)}, so the tool was not run: send one JSON object.`);
  }
  return right(wellFormed(argumentsText));
};
