/**
 * The server list of a session, each entry judged by itself: a remote or malformed one is left out and told. Too many servers,
 * bad names and double names refuse the whole list, since nobody could tell which tool is whose.
 */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { oneLine } from "../../core/text.js";
import type { ShellLimits } from "../../core/policy.js";
import { isServerName } from "./names.js";
import type { ServerSpec } from "./port.js";

/** ACP's stdio entry. `env` may also be an object, as in the usual configuration files. */
const stdioEntry = t.intersection([
  t.type({ name: t.string, command: t.string }),
  t.partial({
    args: t.union([t.array(t.string), t.null]),
    env: t.union([t.array(t.type({ name: t.string, value: t.string })), t.record(t.string, t.string), t.null]),
  }),
]);

const namedEntry = t.type({ name: t.string });
const remoteEntry = t.union([t.type({ url: t.string }), t.type({ type: t.keyof({ http: null, sse: null }) })]);

export interface JudgedEntries {
  readonly specs: readonly ServerSpec[];
  /** Why an entry is not among them, a line each. */
  readonly skipped: readonly string[];
}

type Judged = Either<string, ServerSpec>;

const NAME_SHOWN_BYTES = 128;

const shown = (entry: unknown): string =>
  namedEntry.is(entry) ? `MCP server ${oneLine(entry.name, NAME_SHOWN_BYTES)}` : "an MCP server without a name";

const judge = (entry: unknown): Judged => {
  if (remoteEntry.is(entry)) return left(`${shown(entry)}: only stdio servers are supported`);
  if (!stdioEntry.is(entry)) return left(`${shown(entry)}: its entry is malformed`);
  const { name, command, args, env } = entry;
  // A null byte would make the system call fail in a way that names neither the server nor the argument.
  if ([command, ...(args ?? [])].some((each) => each.includes("\0")) || command === "") {
    return left(`${shown(entry)}: its command is malformed`);
  }
  return right({ name, command, args: args ?? [], env: environmentOf(env ?? []) });
};

type Env = readonly { readonly name: string; readonly value: string }[] | Readonly<Record<string, string>>;

const isList = (env: Env): env is readonly { readonly name: string; readonly value: string }[] => Array.isArray(env);

/** Of a name that stands twice the last counts. What no environment can hold is left out. */
const environmentOf = (env: Env): Readonly<Record<string, string>> => {
  const pairs = isList(env) ? env.map(({ name, value }) => [name, value] as const) : Object.entries(env);
  return Object.fromEntries(pairs.filter(([name, value]) => /^[^=\0]+$/.test(name) && !value.includes("\0")));
};

const nameFault = (names: readonly string[]): string | undefined => {
  const bad = names.find((name) => !isServerName(name));
  if (bad !== undefined) {
    return `bad MCP server name "${oneLine(bad, NAME_SHOWN_BYTES)}": 1 to 128 of A-Z a-z 0-9 _ - without "__"`;
  }
  const double = names.find((name, index) => names.indexOf(name) !== index);
  return double === undefined ? undefined : `MCP server name "${double}" stands twice`;
};

const namesIn = (entries: readonly unknown[]): readonly string[] =>
  entries.flatMap((entry) => (namedEntry.is(entry) ? [entry.name] : []));

/** `own` are the operator's: an entry of the client with the same name takes the place of one of them. */
export const judgeEntries = (
  entries: readonly unknown[],
  own: readonly unknown[],
  limits: ShellLimits,
): Either<string, JudgedEntries> => {
  const taken = namesIn(entries);
  const all = [...entries, ...own.filter((entry) => !namedEntry.is(entry) || !taken.includes(entry.name))];
  if (all.length > limits.maxMcpServers) {
    return left(`too many MCP servers: ${all.length}, at most ${limits.maxMcpServers} are allowed`);
  }
  const fault = nameFault(namesIn(all));
  if (fault !== undefined) return left(fault);
  const judged = all.map(judge);
  return right({
    specs: judged.flatMap((each) => (isLeft(each) ? [] : [each.right])),
    skipped: judged.flatMap((each) => (isLeft(each) ? [each.left] : [])),
  });
};
