/** What the rule books share: reading of JSON values that may be anything. */
import { isJsonArray, isJsonObject, type Json, type JsonObject, member, parseJson } from "../../core/json.js";

/** A broken rule: where, and which. */
export type Fault = string;

export type Report = (fault: Fault) => void;

/** Runs a rule book over the body of a request; every fault it reports, in order. */
export const judge = (body: string, rules: (body: Json, report: Report) => void): readonly Fault[] => {
  const faults: Fault[] = [];
  const parsed = parseJson(body);
  if (parsed._tag === "Left") return [`body: ${parsed.left}`];
  rules(parsed.right, (fault) => faults.push(fault));
  return faults;
};

export const list = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : []);

export const text = (value: Json | undefined, name: string): string => {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
};

export const isWholeNumber = (value: Json | undefined, min: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= min;

export const isObject = (value: Json | undefined): value is JsonObject => isJsonObject(value);

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const isToolName = (name: string): boolean => TOOL_NAME.test(name);

/** Names of definitions: legal, and each once. */
export const judgeNames = (names: readonly string[], report: Report): void => {
  names.forEach((name, index) => {
    if (!isToolName(name)) report(`tools.${index}: illegal name`);
    if (names.indexOf(name) !== index) report(`tools.${index}: name stands twice`);
  });
};

/** Arguments on the wire: a string that holds a JSON object. */
export const isArgumentsString = (value: Json | undefined): boolean => {
  if (typeof value !== "string") return false;
  const parsed = parseJson(value);
  return parsed._tag === "Right" && isJsonObject(parsed.right);
};

export const isBlankText = (value: Json | undefined): boolean => typeof value !== "string" || value.trim() === "";
