/** Which variables are set. A secret is only said to be set; a name that is nobody's is probably a slip of the pen. */
import { isNone } from "fp-ts/lib/Option.js";
import { quoted, raw, type Environment } from "../config/read.js";
import { allVariables } from "../config/allVariables.js";

const NAME_WIDTH = 38;

const OURS = /^(BUZZ_AGENT|TURNFOLD)_/;

export const environmentLines = (env: Environment): readonly string[] => {
  const set = allVariables().flatMap(({ name, secret }) => {
    const spelled = env[name] === undefined ? name.toLowerCase() : name;
    const value = raw(env, spelled);
    return isNone(value) ? [] : [line(spelled, secret ? "set" : quoted(value.value))];
  });
  const known = new Set(allVariables().map(({ name }) => name));
  const unknown = Object.keys(env).filter((name) => OURS.test(name) && !known.has(name));
  return [
    ...(set.length === 0 ? ["nothing is set"] : set),
    ...unknown.map((name) => line(name, "is no variable of this program; a slip of the pen?")),
  ];
};

const line = (name: string, value: string): string => `${name.padEnd(NAME_WIDTH)} ${value}`;
