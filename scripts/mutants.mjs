// `npm run mutants [-- --only handoff] [--workers 2] [--list] [--judges commands,laws]`: mutation testing of src/core, outside the checks. Stryker's own
// instrumenter puts every mutant of a file behind a switch; the instrumented core is bundled once with the judges of
// test/mutants/worker.ts, and each mutant is switched on in turn. That is what Stryker does too, but its runner starts the test
// runner for every mutant, which takes hours where this takes minutes. The package is fetched into node_modules/.cache.

import { execFileSync, fork } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "rolldown";

const strykerVersion = "9.6.1";
const mutantMsMax = 60_000;
const root = path.join(import.meta.dirname, "..");
const cache = path.join(root, "node_modules/.cache/mutants");
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    workers: { type: "string" },
    list: { type: "boolean", default: false },
    judges: { type: "string", default: "" },
  },
});

/** Files without anything to mutate, and the codecs, whose judges are round trips of their own. */
const isMutated = (/** @type {string} */ name) =>
  name.endsWith(".ts") && !name.startsWith("codec") && name.includes(values.only);

const instrumenterAt = path.join(cache, "stryker/node_modules/@stryker-mutator/instrumenter");
if (!existsSync(instrumenterAt)) {
  mkdirSync(path.join(cache, "stryker"), { recursive: true });
  writeFileSync(path.join(cache, "stryker/package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `@stryker-mutator/instrumenter@${strykerVersion}`], {
    cwd: path.join(cache, "stryker"),
    stdio: "inherit",
  });
}
const entry = JSON.parse(readFileSync(path.join(instrumenterAt, "package.json"), "utf8")).main ?? "dist/src/index.js";
const { Instrumenter } = await import(pathToFileURL(path.join(instrumenterAt, entry)).href);

const copy = path.join(cache, "copy");
rmSync(copy, { recursive: true, force: true });
for (const folder of ["src", "test/mutants", "test/properties", "test/traces/language"]) {
  cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true });
}

const quiet = () => undefined;
const log = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: console.error,
  fatal: console.error,
  trace: quiet,
  isDebugEnabled: () => false,
};
const files = readdirSync(path.join(copy, "src/core"))
  .filter(isMutated)
  .map((name) => path.join(copy, "src/core", name));
const instrumented = await new Instrumenter(log, ...(await parts())).instrument(
  files.map((name) => ({ name, content: readFileSync(name, "utf8"), mutate: true })),
  { plugins: null, excludedMutations: [], ignorers: [] },
);
for (const { name, content } of instrumented.files) writeFileSync(name, content);

/** The instrumenter's own parser, printer and transformer, which its injector would hand it. */
async function parts() {
  const from = (/** @type {string} */ file) => import(pathToFileURL(path.join(instrumenterAt, "dist/src", file)).href);
  const [{ createParser }, { print }, { transform }] = await Promise.all([
    from("parsers/index.js"),
    from("printers/index.js"),
    from("transformers/index.js"),
  ]);
  return [createParser, print, transform];
}

const bundle = path.join(copy, "worker.mjs");
await build({
  input: path.join(copy, "test/mutants/worker.ts"),
  platform: "node",
  external: ["fast-check", "immer", /^fp-ts/, "io-ts"],
  logLevel: "silent",
  output: { file: bundle },
});

/** @typedef {{ id: string, fileName: string, mutatorName: string, replacement: string, location: { start: { line: number, column: number } }, status?: string }} Mutant */
/** @type {Mutant[]} */
const mutants = instrumented.mutants.filter((/** @type {Mutant} */ { status }) => status === undefined);
const workers = Number(values.workers ?? os.availableParallelism());
console.log(`${mutants.length} mutants in ${files.length} files, ${workers} workers`);

/** @type {Map<string, string | undefined>} */
const verdicts = new Map();
const waiting = [...mutants];

/** A worker that is told one mutant after another, and replaced when it hangs. @param {boolean} fresh @returns {Promise<void>} */
const work = (fresh) =>
  new Promise((resolve) => {
    const next = () => {
      const mutant = waiting.shift();
      if (mutant === undefined) return resolve();
      // What is computed when the module is loaded is switched only in a process of its own.
      const child = fork(bundle, [root, values.judges], {
        env: { ...process.env, ...(fresh ? { __STRYKER_ACTIVE_MUTANT__: mutant.id } : {}) },
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      serve(child, mutant);
    };
    /** @param {import("node:child_process").ChildProcess} child @param {Mutant} mutant */
    const serve = (child, mutant) => {
      const timer = setTimeout(() => finish("timeout"), mutantMsMax);
      const finish = (/** @type {string | undefined} */ killedBy) => {
        clearTimeout(timer);
        verdicts.set(mutant.id, killedBy);
        child.removeAllListeners();
        const following = fresh || killedBy === "timeout" || killedBy === "crash" ? undefined : waiting.shift();
        if (following === undefined) {
          child.kill("SIGKILL");
          next();
        } else serve(child, following);
      };
      child.once("message", (message) => finish(/** @type {{ killedBy?: string }} */ (message).killedBy));
      child.once("exit", () => finish("crash"));
      child.send(mutant.id);
    };
    next();
  });

/** Runs all that waits. @param {boolean} fresh */
const round = (fresh) => Promise.all(Array.from({ length: workers }, () => work(fresh)));

/** Without any mutant nobody may find fault, or all that follows would be worth nothing. @type {string | undefined} */
const fault = await new Promise((resolve) => {
  const child = fork(bundle, [root, values.judges], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.once("message", (message) => {
    child.kill("SIGKILL");
    resolve(/** @type {{ killedBy?: string }} */ (message).killedBy);
  });
  child.once("exit", () => resolve("the worker crashed"));
  child.send("");
});
if (fault !== undefined) {
  console.error(`the judges find fault with the core as it is: ${fault}`);
  process.exit(1);
}

const begun = Date.now();
await round(false);
waiting.push(...mutants.filter(({ id }) => verdicts.get(id) === undefined));
await round(true);

/** @param {string} fileName */
const short = (fileName) => path.relative(path.join(copy, "src/core"), fileName);
/** @param {Mutant} mutant */
const described = ({ fileName, location, mutatorName, replacement }) =>
  `${short(fileName)}:${location.start.line + 1}:${location.start.column + 1} ${mutatorName}: ${replacement.replaceAll(/\s+/g, " ").slice(0, 100)}`;

const survivors = mutants.filter(({ id }) => verdicts.get(id) === undefined);
for (const name of [...new Set(mutants.map(({ fileName }) => fileName))].toSorted()) {
  const own = mutants.filter(({ fileName }) => fileName === name);
  const left = own.filter(({ id }) => verdicts.get(id) === undefined).length;
  console.log(`${short(name)}: ${own.length - left} of ${own.length} killed`);
}
if (values.list)
  for (const mutant of mutants) console.log(`${verdicts.get(mutant.id) ?? "SURVIVED"} <- ${described(mutant)}`);
console.log(`survivors:\n${survivors.map(described).join("\n")}`);
const score = (1 - survivors.length / Math.max(1, mutants.length)) * 100;
console.log(`score: ${score.toFixed(1)} % of ${mutants.length}, ${Math.round((Date.now() - begun) / 1000)} s`);
