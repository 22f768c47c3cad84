/**
 * Reads a scenario. Strict: unknown keys, negative rates and windows in which nothing fits are errors that name their path and
 * what is accepted. Lenient in two ways: what is left out has the default that stands here, and a constant may be written as a
 * number.
 */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import { none } from "fp-ts/lib/Option.js";
import * as t from "io-ts";
import { flag, list, option, struct, text, withDefault, words, type Codec } from "../core/codec/basics.js";
import { limitFields } from "../core/codec/session.js";
import { explain } from "../core/codec.js";
import { defaultPolicy, REDUCER_LIMITS, type PermissionMode, type Policy, type ReducerLimit } from "../core/policy.js";
import type { Rates } from "../usage/price.js";
import { agreeing, amount, orConstant, positive, rate, whole, withDefaults, type Mismatch } from "./fields.js";
import type {
  AttemptFailures,
  Faults,
  HookScenario,
  ModelFaults,
  ModelScenario,
  Scenario,
  ShellFaults,
  SummaryFaults,
  SummaryScenario,
  ToolFaults,
  ToolScenario,
  UsageFaults,
  UserScenario,
} from "./scenario.js";

const ANY = Number.MAX_SAFE_INTEGER;

/** A limit that the program fixes may be varied here, upwards and down to nothing: to see what it is good for. */
const limit = (key: ReducerLimit): Codec<number> => {
  const { min, max, default: value } = REDUCER_LIMITS[key];
  return withDefault(min === max ? whole(0, ANY) : whole(min, max), value);
};

const policy = withDefaults(
  struct<Policy>("policy", {
    ...limitFields(limit),
    permissions: withDefault(words<PermissionMode>({ never: true, writes: true, always: true }), "never"),
    requireReply: withDefault(flag, false),
    replyShape: withDefault(
      struct("reply shape", { nameEnding: text, argument: text, fragments: list(text) }),
      defaultPolicy.replyShape,
    ),
  }),
);

const user = withDefaults(
  struct<UserScenario>("user", {
    turns: orConstant(3),
    promptBytes: orConstant(400),
    pauseMs: orConstant(30_000),
    steers: orConstant(0),
    steerBytes: orConstant(100),
    steerDelayMs: orConstant(5000),
    cancelRate: withDefault(rate, 0),
    cancelDelayMs: orConstant(10_000),
    permissionMs: orConstant(3000),
    rejectRate: withDefault(rate, 0),
    allowAlwaysRate: withDefault(rate, 0),
    patience: withDefault(whole(0, ANY), 0),
  }),
);

/** The smallest window in which a prompt, a summary and an answer have any room. */
const WINDOW_TOKENS_MIN = 1024;

/** Not published is null, which is not free. */
const price = withDefault(option(amount), none);

const model = withDefaults(
  agreeing(
    struct<ModelScenario>("model", {
      id: withDefault(text, "model"),
      authority: withDefault(t.union([text, t.null], "a string or null"), null),
      windowTokens: withDefault(whole(WINDOW_TOKENS_MIN, ANY), 200_000),
      maxOutputTokens: withDefault(whole(1, ANY), 32_768),
      trueWindowTokens: withDefault(
        t.union([whole(WINDOW_TOKENS_MIN, ANY), t.null], `an integer of at least ${WINDOW_TOKENS_MIN} or null`),
        null,
      ),
      tokensPerByte: withDefault(positive, 0.25),
      cacheLifetimeMs: withDefault(amount, 300_000),
      usdPerMillionTokens: withDefault(
        option(struct<Rates>("rates", { input: price, output: price, cacheRead: price, cacheWrite: price })),
        none,
      ),
      toolRounds: orConstant(5),
      callsPerRound: orConstant(1),
      textBytes: orConstant(300),
      reasoningBytes: orConstant(0),
      replayBytes: orConstant(0),
      latencyMs: orConstant(1000),
      outputTokenMs: orConstant(15),
    }),
    ({ windowTokens, maxOutputTokens }): Mismatch | undefined =>
      maxOutputTokens < windowTokens
        ? undefined
        : {
            key: "maxOutputTokens",
            value: maxOutputTokens,
            accepted: `less than windowTokens, which is ${windowTokens}`,
          },
  ),
);

const summary = withDefaults(struct<SummaryScenario>("summary", { textBytes: orConstant(2000) }));

const tool = struct<ToolScenario>("tool", {
  name: text,
  weight: withDefault(positive, 1),
  readOnly: withDefault(flag, false),
  definitionBytes: withDefault(whole(0, 1024 * 1024), 600),
  argumentBytes: orConstant(80),
  resultBytes: orConstant(1500),
  latencyMs: orConstant(400),
  imageRate: withDefault(rate, 0),
  imageBytes: orConstant(20_000),
});

const doubleName = (tools: readonly ToolScenario[]): Mismatch | undefined => {
  const place = tools.findIndex(({ name }, index) => tools.findIndex((other) => other.name === name) < index);
  return place < 0
    ? undefined
    : { key: `${place}.name`, value: tools[place]?.name, accepted: "a name that no other tool has" };
};

const hook = withDefaults(
  struct<HookScenario>("hook", {
    servers: withDefault(whole(0, 16), 0),
    textRate: withDefault(rate, 0),
    textBytes: orConstant(200),
    latencyMs: orConstant(50),
  }),
);

const never = withDefault(rate, 0);

const attemptFailures = withDefaults(
  agreeing(
    struct<AttemptFailures>("attempt failures", {
      contextExceeded: never,
      imageUnsupported: never,
      authentication: never,
      permission: never,
      payment: never,
      modelNotFound: never,
      requestTooLarge: never,
      invalidRequest: never,
      rateLimited: never,
      overloaded: never,
      serverError: never,
      timeout: never,
      transport: never,
      badReply: never,
      replyTooLarge: never,
    }),
    (rates): Mismatch | undefined => {
      const sum = Object.values(rates).reduce((a, b) => a + b, 0);
      return sum <= 1 ? undefined : { key: "*", value: sum, accepted: "rates that add up to at most 1" };
    },
  ),
);

const faults = withDefaults(
  struct<Faults>("faults", {
    model: withDefaults(
      struct<ModelFaults>("model faults", {
        attemptFailures,
        cutOff: never,
        refusal: never,
        toolUseWithoutCalls: never,
        emptyReply: never,
        unknownStop: never,
        callFlood: never,
        badArguments: never,
        unknownTool: never,
      }),
    ),
    summary: withDefaults(
      struct<SummaryFaults>("summary faults", { failure: never, refusal: never, emptyText: never }),
    ),
    usage: withDefaults(
      struct<UsageFaults>("usage faults", { missing: never, partial: never, zeroInput: never, overflowed: never }),
    ),
    tool: withDefaults(
      struct<ToolFaults>("tool faults", { error: never, rejected: never, crash: never, hang: never, stubborn: never }),
    ),
    shell: withDefaults(
      struct<ShellFaults>("shell faults", {
        duplicateAnswer: never,
        unknownAnswer: never,
        lateCatalog: never,
        catalogChange: never,
        modelChange: never,
        doublePrompt: never,
        close: never,
      }),
    ),
  }),
);

/** The tool that a scenario has which names none. */
const plainTool: unknown = { name: "tool" };

const tools = agreeing(list(tool), doubleName);

export const scenarioCodec: Codec<Scenario> = struct<Scenario>("scenario", {
  name: withDefault(text, "scenario"),
  policy,
  systemBytes: withDefault(whole(0, 16 * 1024 * 1024), 4000),
  user,
  model,
  summary,
  tools: new t.Type<readonly ToolScenario[], unknown>(
    tools.name,
    tools.is,
    (read, context) => tools.validate(read === undefined ? [plainTool] : read, context),
    tools.encode,
  ),
  hooks: withDefaults(struct("hooks", { _Stop: hook, _PostCompact: hook })),
  faults,
});

/** A scenario from a JSON value, or one line that says what is wrong with it. */
export const readScenario = (value: unknown): Either<string, Scenario> => {
  const read = scenarioCodec.decode(value);
  return isLeft(read) ? left(explain(read.left)) : right(read.right);
};
