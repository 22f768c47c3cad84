/** A tool's arguments as the client sees them: long strings elided in the middle, so that a frame stays small. */
import { getOrElseW } from "fp-ts/lib/Either.js";
import { isJsonArray, isJsonObject, parseJson, stringifyJson, type Json } from "../../core/json.js";
import { defaultShellLimits } from "../../core/policy.js";
import { elideMiddle, utf8Bytes } from "../../core/text.js";

export interface ShownArguments {
  readonly rawInput: Json;
  /** Something was left out: whoever is asked for permission must be told. */
  readonly elided: boolean;
}

/** `argumentsText`: JSON text, an object. */
export const shownArguments = (argumentsText: string): ShownArguments => {
  const { rawInputStringBytesMax, rawInputBytesMax } = defaultShellLimits;
  const whole = getOrElseW(() => argumentsText)(parseJson(argumentsText));
  const shortened = shorten(whole, rawInputStringBytesMax, 0);
  const text = stringifyJson(shortened);
  // Many strings or long keys: one text that shows both ends is all that can be promised then.
  const fits = utf8Bytes(text) <= rawInputBytesMax;
  const rawInput = fits ? shortened : { elided: elideMiddle(argumentsText, rawInputStringBytesMax, "arguments") };
  return { rawInput, elided: !fits || text !== stringifyJson(whole) };
};

/** Readers give up on JSON that is nested deeper than 128, and the frame around the arguments is part of that. */
const DEPTH_MAX = 64;

const shorten = (value: Json, stringBytesMax: number, depth: number): Json => {
  if (typeof value === "string") return elideMiddle(value, stringBytesMax, "argument");
  if (depth >= DEPTH_MAX && typeof value === "object" && value !== null) return "[... elided: nested too deeply ...]";
  if (isJsonArray(value)) return value.map((each) => shorten(each, stringBytesMax, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shorten(each, stringBytesMax, depth + 1)]),
  );
};
