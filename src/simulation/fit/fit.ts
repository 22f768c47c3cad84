/** A scenario made to resemble recorded sessions, and what can be said for the resemblance. */
import { isSome } from "fp-ts/lib/Option.js";
import { assertNever } from "../../core/never.js";
import type { Distribution } from "../distribution.js";
import { distribution as distributionCodec } from "../fields.js";
import { replaced } from "../vary.js";
import { fitted, type Fitted } from "./family.js";
import { ATTEMPTS, type Observations, type ObservedTool } from "./observations.js";

export interface Fit {
  /** The scenario as JSON: what the records say in place of what was there. */
  readonly scenario: unknown;
  /** One line for each value that was fitted, with how well. */
  readonly lines: readonly string[];
}

interface Part {
  readonly path: string;
  readonly value: unknown;
  readonly line: string;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

/** Parameters with as many digits as can be meant. */
const legible = (distribution: Distribution): Distribution => {
  switch (distribution.kind) {
    case "constant":
    case "uniform":
    case "empirical":
      return distribution;
    case "normal":
      return { kind: "normal", mean: rounded(distribution.mean), sd: rounded(distribution.sd) };
    case "logNormal":
      return { kind: "logNormal", median: rounded(distribution.median), sigma: rounded(distribution.sigma) };
  }
  return assertNever(distribution);
};

const words = (distribution: Distribution): string =>
  distribution.kind === "empirical"
    ? `empirical, ${distribution.values.length} values`
    : Object.entries(distribution)
        .map(([key, value]) => (key === "kind" ? String(value) : `${key} ${String(value)}`))
        .join(" ");

const distributionPart = (path: string, { distribution, count, gap }: Fitted): Part => {
  const value = legible(distribution);
  return {
    path,
    value: distributionCodec.encode(value),
    line: `${path}: ${words(value)} (n ${count}, largest gap ${(100 * gap).toFixed(1)}%)`,
  };
};

const fact = (path: string, value: unknown, why: string): Part => ({
  path,
  value,
  line: `${path}: ${JSON.stringify(value)} (${why})`,
});

const ratePart = (path: string, hits: number, trials: number): Part => {
  const rate = hits / trials;
  // The 95 % interval of Wilson's score: it says something even when nothing was hit.
  const z = 1.96;
  const centre = (rate + (z * z) / (2 * trials)) / (1 + (z * z) / trials);
  const half = (z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))) / (1 + (z * z) / trials);
  const [low, high] = [Math.max(0, centre - half), Math.min(1, centre + half)].map(rounded);
  return {
    path,
    value: rounded(rate),
    line: `${path}: ${rounded(rate)} (${hits} of ${trials}, between ${low} and ${high})`,
  };
};

const valueParts = ({ values }: Observations): readonly Part[] =>
  [...values].flatMap(([path, list]) => {
    if (path.startsWith("tools.")) return [];
    const found = fitted(list);
    return found === undefined ? [] : [distributionPart(path, found)];
  });

const rateParts = ({ rates }: Observations): readonly Part[] => {
  const attempts = rates.get(ATTEMPTS)?.trials ?? 0;
  return [...rates].flatMap(([path, { hits, trials }]) => {
    if (path === ATTEMPTS || path.startsWith("tools.")) return [];
    const of = path.startsWith("faults.model.attemptFailures.") ? attempts : trials;
    return of === 0 ? [] : [ratePart(path, Math.min(hits, of), of)];
  });
};

/** What was said of the session at its start, and the token law. */
const factParts = ({ start, requestBytes, requestTokens }: Observations): readonly Part[] => {
  if (start === undefined) return [];
  const { settings, systemBytes } = start;
  const recorded = "as recorded";
  return [
    fact("systemBytes", systemBytes, recorded),
    fact("model.id", settings.model, recorded),
    fact("model.authority", isSome(settings.authority) ? settings.authority.value : null, recorded),
    fact("model.windowTokens", settings.windowTokens, recorded),
    fact("model.maxOutputTokens", settings.maxOutputTokens, recorded),
    ...(requestBytes > 0 && requestTokens > 0
      ? [
          fact(
            "model.tokensPerByte",
            rounded(requestTokens / requestBytes),
            `${requestTokens} tokens of ${requestBytes} bytes`,
          ),
        ]
      : []),
  ];
};

/** A tool with everything that is known of it; what is not keeps its default. */
const toolParts = (
  observations: Observations,
  { name, readOnly, definitionBytes, calls }: ObservedTool,
): readonly Part[] => {
  const prefix = `tools.${name}.`;
  const values = [...observations.values].flatMap(([path, list]) => {
    const found = path.startsWith(prefix) ? fitted(list) : undefined;
    return found === undefined ? [] : [distributionPart(path, found)];
  });
  const images = observations.rates.get(`${prefix}imageRate`);
  return [
    fact(`${prefix}weight`, Math.max(calls, 1e-6), `${calls} calls`),
    fact(`${prefix}readOnly`, readOnly, "as recorded"),
    fact(`${prefix}definitionBytes`, definitionBytes, "as recorded"),
    ...values,
    ...(images === undefined ? [] : [ratePart(`${prefix}imageRate`, images.hits, images.trials)]),
  ];
};

const toolJson = (name: string, parts: readonly Part[]): unknown =>
  parts.reduce<unknown>((json, { path, value }) => replaced(json, [path.slice(`tools.${name}.`.length)], value), {
    name,
  });

/** The scenario that the observations ask for; `scenario` is JSON and keeps what they say nothing about. */
export const fitScenario = (scenario: unknown, observations: Observations): Fit => {
  const parts = [...factParts(observations), ...valueParts(observations), ...rateParts(observations)];
  const tools = [...observations.tools.values()].map((tool) => ({
    name: tool.name,
    parts: toolParts(observations, tool),
  }));
  const withParts = parts.reduce((json, { path, value }) => replaced(json, path.split("."), value), scenario);
  const json =
    tools.length === 0
      ? withParts
      : replaced(
          withParts,
          ["tools"],
          tools.map(({ name, parts: own }) => toolJson(name, own)),
        );
  // Its tokens are written while it waits: how long for each is not told apart in a record.
  const timed = observations.values.has("model.latencyMs");
  return {
    scenario: timed ? replaced(json, ["model", "outputTokenMs"], 0) : json,
    lines: [
      `fitted to ${observations.sessions} recorded sessions`,
      ...[...parts, ...tools.flatMap(({ parts: own }) => own)].map(({ line }) => line),
      ...(timed ? [] : ["the records hold no times: latencies and pauses are those of the scenario"]),
    ],
  };
};
