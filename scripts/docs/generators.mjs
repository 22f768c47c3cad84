// One function for each generated part of the documents: the table comes from the code, never the other way round.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { reasons } from "./dependencies.mjs";
import { figures } from "./figures.mjs";
import { table } from "./table.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A TypeScript module of ours, loaded from its source.
 * @template T
 * @param {string} file
 * @returns {Promise<T>}
 */
async function source(file) {
  const { module } = await runnerImport(path.join(root, file), { root, configFile: false, logLevel: "error" });
  return /** @type {T} */ (module);
}

const code = (/** @type {string} */ text) => (text === "" ? "" : `\`${text}\``);

/** Every dependency with its version and the reason why it is there; a missing or idle reason is an error. */
async function dependencies() {
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  /** @type {[string, Record<string, string>][]} */
  const kinds = [
    ["run time", manifest.dependencies],
    ["development", manifest.devDependencies],
  ];
  const names = kinds.flatMap(([, versions]) => Object.keys(versions));
  const idle = Object.keys(reasons).filter((name) => !names.includes(name));
  if (idle.length > 0)
    throw new Error(`scripts/docs/dependencies.mjs gives reasons for what is not used: ${idle.join(", ")}`);
  const rows = kinds.flatMap(([kind, versions]) =>
    Object.entries(versions).map(([name, version]) => {
      const reason = reasons[name];
      if (reason === undefined) throw new Error(`scripts/docs/dependencies.mjs has no reason for ${name}`);
      return [code(name), version.replace(/^npm:/, ""), kind, reason];
    }),
  );
  return table(["package", "version", "for", "why"], rows);
}

/** @typedef {import("../../src/core/policy.ts").Limit} Limit */

/**
 * A limit's value with the unit that its name ends with.
 * @param {string} name
 * @param {number} value
 */
function withUnit(name, value) {
  if (value === Number.MAX_SAFE_INTEGER) return "no limit";
  if (/Bytes/.test(name)) {
    if (value >= 1024 * 1024 && value % (1024 * 1024) === 0) return `${value / 1024 / 1024} MiB`;
    return value >= 1024 && value % 1024 === 0 ? `${value / 1024} KiB` : `${value} bytes`;
  }
  if (/Ms(?:Max)?$/.test(name)) return value >= 1000 ? `${value / 1000} s` : `${value} ms`;
  if (/Seconds/.test(name)) return `${value} s`;
  return /Tokens/.test(name) && value > 0 ? `${value} tokens` : String(value);
}

/** The unit in which the environment gives a limit, as its variable is read: the unit of the limit's name. */
function unitOf(/** @type {string} */ name) {
  if (/Bytes/.test(name)) return "bytes";
  if (/Ms(?:Max)?$/.test(name)) return "ms";
  if (/Seconds/.test(name)) return "s";
  return /Tokens/.test(name) ? "tokens" : "";
}

async function limits() {
  /** @type {typeof import("../../src/core/policy.ts")} */
  const { REDUCER_LIMITS, SHELL_LIMITS } = await source("src/core/policy.ts");
  /** @type {[string, Limit][]} */
  const all = [...Object.entries(REDUCER_LIMITS), ...Object.entries(SHELL_LIMITS)];
  const rows = all.map(([name, { default: value, variable, meaning }]) => {
    const unit = unitOf(name);
    return [
      meaning,
      withUnit(name, value),
      variable === "" ? "fixed" : `${code(variable)}${unit === "" ? "" : ` (${unit})`}`,
    ];
  });
  return table(["what", "default", "variable"], rows);
}

async function providers() {
  /** @type {typeof import("../../src/providers/settings.ts")} */
  const { PROVIDERS } = await source("src/providers/settings.ts");
  const rows = PROVIDERS.map(({ title, spellings, key, modelVariable, baseUrlVariable, baseUrlDefault }) => {
    const keys = key.kind === "none" ? "none" : key.variables.map(code).join(" or ");
    const credential = key.kind === "orLogin" ? `${keys}, or a login` : keys;
    const base =
      baseUrlDefault === "" ? `${code(baseUrlVariable)} (needed)` : `${code(baseUrlVariable)}: ${baseUrlDefault}`;
    return [title, spellings.map(code).join(", "), credential, code(modelVariable), base];
  });
  return table(["provider", "`BUZZ_AGENT_PROVIDER`", "credential", "model", "base URL and its default"], rows);
}

/** What becomes of a model request in every situation, as the test of the same table sees it. */
async function outcomes() {
  /** @type {typeof import("../../test/integration/http/matrix.table.ts")} */
  const { TABLE } = await source("test/integration/http/matrix.table.ts");
  const rows = TABLE.map(({ situation, outcome, except = {} }) => {
    /** @type {Map<string, string[]>} */
    const places = new Map();
    for (const [column, other] of Object.entries(except)) places.set(other, [...(places.get(other) ?? []), column]);
    return [situation, outcome, [...places].map(([other, columns]) => `${columns.join(", ")}: ${other}`).join("; ")];
  });
  return table(["the provider answers", "the turn loop gets", "except at"], rows);
}

/** How models think, by family and for exact models, and what is documented of their size. */
async function models() {
  /** @type {typeof import("../../src/providers/capabilityTable.ts")} */
  const { capabilityTable } = await source("src/providers/capabilityTable.ts");
  const { families, exact, limits } = capabilityTable;
  const tokens = (/** @type {number} */ count) => (count === 0 ? "unknown" : String(count));
  const thinking = [
    ...families.map((row) => [
      row.names.map((name) => code(row.whole ? name : `${name}*`)).join(", "),
      row.thinking,
      row.efforts.join(", "),
      row.default,
      row.route,
    ]),
    ...exact.map((row) => [row.ids.map(code).join(", "), `at ${code(row.provider)}`, row.efforts.join(", "), "", ""]),
  ];
  const sizes = limits.map((row) => [
    row.names.map((name) => code(`${name}*`)).join(", "),
    tokens(row.window),
    tokens(row.output),
    row.images,
  ]);
  return [
    table(["model", "thinking", "efforts", "default", "route at `databricks_v2`"], thinking),
    table(["model", "window (tokens)", "longest reply (tokens)", "sees images"], sizes),
  ].join("\n\n");
}

/** Variables that are neither a limit nor a provider's own: those have tables of their own. */
async function settings() {
  /** @type {typeof import("../../src/shell/config/variables.ts")} */
  const { SETTINGS } = await source("src/shell/config/variables.ts");
  const rows = Object.values(SETTINGS).map(({ name, codec, default: fallback, meaning }) => [
    code(name),
    meaning,
    fallback,
    codec.accepted,
  ]);
  return table(["variable", "what", "default", "accepted"], rows);
}

/** The types of a scenario as they stand in the source, comments and all: nothing says better what a key means. */
async function scenarioKeys() {
  const text = await readFile(path.join(root, "src/simulation/scenario.ts"), "utf8");
  const types = text.slice(text.indexOf("export interface Scenario"), text.indexOf("/** What no draw and no session"));
  return `\`\`\`ts\n${types.replaceAll(/^export /gm, "").trim()}\n\`\`\``;
}

/** The example that the tests run. */
async function embedding() {
  return `\`\`\`js\n${(await readFile(path.join(root, "examples/embed.mjs"), "utf8")).trim()}\n\`\`\``;
}

async function scenarioDefaults() {
  /** @type {typeof import("../../src/simulation/index.ts")} */
  const { readScenario, scenarioCodec } = await source("src/simulation/index.ts");
  const read = readScenario({});
  if (read._tag === "Left") throw new Error(read.left);
  const { policy: _policy, ...rest } = /** @type {Record<string, unknown>} */ (scenarioCodec.encode(read.right));
  return `\`\`\`json\n${JSON.stringify(rest, null, 2)}\n\`\`\``;
}

/** @type {ReadonlyMap<string, () => Promise<string>>} */
export const generators = new Map([
  ["dependencies", dependencies],
  ["embedding", embedding],
  ["figures", figures],
  ["limits", limits],
  ["models", models],
  ["outcomes", outcomes],
  ["providers", providers],
  ["scenario-defaults", scenarioDefaults],
  ["scenario-keys", scenarioKeys],
  ["settings", settings],
]);
