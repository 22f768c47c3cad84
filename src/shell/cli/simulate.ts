/** `turnfold simulate`: many sessions of a scenario, their metrics in a folder, a summary here. */
import { isLeft, left, right, type Either } from "fp-ts/lib/Either.js";
import { isSome, some } from "fp-ts/lib/Option.js";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "../directory.js";
import { fitScenario, type Fit } from "../../simulation/fit/fit.js";
import { mergeStudy, studySummary } from "../../simulation/study.js";
import { variantsOf, type Variant } from "../../simulation/vary.js";
import { publishedPrices } from "../ledger/prices.js";
import { plain } from "../simulate/format.js";
import { readOptions, USAGE, type Options } from "../simulate/options.js";
import { noProgressLine, progressLine } from "../simulate/progress.js";
import { readRecords } from "../simulate/records.js";
import { runText, textIfThere } from "../simulate/runFile.js";
import { addDigests, noProgress, resumeFile, type Progress } from "../simulate/sessionsFile.js";
import { summaryTable } from "../simulate/table.js";
import { shareWork } from "../simulate/workers.js";
import { version } from "../version.js";
import type { CliOutput } from "./replay.js";

const reason = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** What one run is. */
interface Run {
  readonly options: Options;
  readonly variants: readonly Variant[];
  /** What was fitted to records, one line each. */
  readonly fit: readonly string[];
  readonly runText: string;
  readonly sessionsFile: string;
}

const readJson = async (file: string): Promise<Either<string, unknown>> => {
  try {
    return right(JSON.parse(await readFile(file, "utf8")) as unknown);
  } catch (fault) {
    return left(`cannot read ${file}: ${reason(fault)}`);
  }
};

/** The scenario with what recorded sessions say, if any were given. */
const fit = async ({ from }: Options, json: unknown): Promise<Either<string, Fit>> => {
  if (from === undefined) return right({ scenario: json, lines: [] });
  const records = await readRecords(from);
  if (isLeft(records)) return records;
  const { scenario, lines } = fitScenario(json, records.right.observations);
  return right({ scenario, lines: [...lines, ...records.right.remarks] });
};

const prepare = async (options: Options): Promise<Either<string, Run>> => {
  const json = await readJson(options.scenario);
  if (isLeft(json)) return json;
  const fitted = await fit(options, json.right);
  if (isLeft(fitted)) return fitted;
  const { scenario, lines } = fitted.right;
  const read = variantsOf(scenario, options.variations);
  if (isLeft(read)) return read;
  const variants = read.right.map(priced);
  const text = runText(version, options.seed, variants, lines);
  return right({ options, variants, fit: lines, runText: text, sessionsFile: join(options.out, "sessions.ndjson") });
};

/** A scenario that names no price has that of the published list, if its model stands there. */
const priced = ({ name, scenario }: Variant): Variant => {
  const { authority, id, usdPerMillionTokens } = scenario.model;
  const record = [...publishedPrices().values()].find((each) => each.authority === authority && each.model === id);
  if (isSome(usdPerMillionTokens) || record === undefined) return { name, scenario };
  return {
    name,
    scenario: { ...scenario, model: { ...scenario.model, usdPerMillionTokens: some(record.usdPerMillionTokens) } },
  };
};

/** The folder, new or gone on with. Left: why neither is possible. */
const openFolder = async (run: Run): Promise<Either<string, Progress>> => {
  const { options, sessionsFile } = run;
  const runFile = join(options.out, "run.json");
  makeDirectory(options.out, 0o777);
  const before = await textIfThere(runFile);
  if (before === undefined) {
    await writeFile(runFile, run.runText);
    await writeFile(sessionsFile, "");
    return right(noProgress(run.variants.length));
  }
  if (!options.resume)
    return left(`${options.out} holds a run already; go on with it by --resume, or take another folder`);
  return before === run.runText
    ? right(await resumeFile(sessionsFile, run.variants.length))
    : left(`${options.out} holds a run of another scenario, seed or version, as ${runFile} says`);
};

/** Simulates what is missing. The answer: whether the run was interrupted. */
const goOn = async ({ options, variants, sessionsFile }: Run, progress: Progress): Promise<boolean> => {
  const { seed, sessions, workers } = options;
  const from = progress.study.sessions;
  const line = process.stderr.isTTY
    ? progressLine({ total: sessions, from, now: () => performance.now(), write: (text) => process.stderr.write(text) })
    : noProgressLine;
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
  };
  // Once: a second one ends the program as usual.
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const file = await open(sessionsFile, "a");
  try {
    await shareWork({
      setup: { seed, scenarios: variants.map(({ scenario }) => scenario) },
      workers,
      from,
      to: sessions,
      isInterrupted: () => interrupted,
      onChunk: async ({ lines, digests, study }) => {
        await file.appendFile(`${lines.join("\n")}\n`);
        addDigests(progress, digests);
        mergeStudy(progress.study, study);
        line.show(progress.study.sessions);
      },
    });
  } finally {
    line.clear();
    await file.close();
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
  return progress.study.sessions < sessions;
};

/** Left: why there is none; everything else is written all the same. */
const drawReport = async ({ options, variants, fit }: Run, progress: Progress): Promise<Either<string, void>> => {
  const { seed, out } = options;
  const { study, digest } = progress;
  try {
    // Plots and their library are read only now.
    const { reportPage } = await import("../simulate/report/page.js");
    const page = await reportPage({ variants, study, seed, digest, version, fit });
    return right(await writeFile(join(out, "report.html"), page));
  } catch (fault) {
    if (!(fault instanceof Error && "code" in fault && fault.code === "ERR_MODULE_NOT_FOUND")) throw fault;
    return left(
      "no report.html: the package @observablehq/plot is not installed beside the program (npm install brings it with turnfold)",
    );
  }
};

const conclude = async (run: Run, progress: Progress, { out, err }: CliOutput): Promise<number> => {
  const { options, variants } = run;
  const summary = studySummary(progress.study);
  const metrics = {
    version,
    seed: options.seed,
    digest: progress.digest,
    sound: summary.unsound === 0,
    ...summary,
    variants: summary.variants.map((variant, index) => ({ name: variants[index]?.name ?? "", ...variant })),
  };
  await writeFile(join(options.out, "metrics.json"), `${JSON.stringify(metrics, null, 2)}\n`);
  const drawn = await drawReport(run, progress);
  if (isLeft(drawn)) err(`turnfold: ${drawn.left}`);
  for (const each of run.fit) out(each);
  for (const each of summaryTable(
    summary,
    variants.map(({ name }) => name),
  ))
    out(each);
  out("");
  out(`digest ${progress.digest}`);
  if (summary.unsound === 0) return 0;
  err(`turnfold: ${plain(summary.unsound)} sessions do not add up; this is a bug of Turnfold:`);
  for (const each of summary.unsoundSessions) err(`  ${each}`);
  return 1;
};

/** Exit code: 0 done, 1 tokens were not conserved or a file cannot be written, 2 wrong use or scenario, 130 interrupted. */
export const runSimulate = async (argv: readonly string[], output: CliOutput): Promise<number> => {
  const { err } = output;
  if (argv.length === 1 && (argv[0] === "--help" || argv[0] === "-h")) {
    output.out(USAGE);
    return 0;
  }
  const options = readOptions(argv);
  if (isLeft(options)) {
    err(`turnfold: ${options.left}; ${USAGE}`);
    return 2;
  }
  const run = await prepare(options.right);
  if (isLeft(run)) {
    err(`turnfold: ${run.left}`);
    return 2;
  }
  try {
    const startedMs = performance.now();
    const progress = await openFolder(run.right);
    if (isLeft(progress)) {
      err(`turnfold: ${progress.left}`);
      return 2;
    }
    const before = progress.right.study.sessions;
    if (await goOn(run.right, progress.right)) {
      const done = progress.right.study.sessions;
      err(`interrupted after ${plain(done)} of ${plain(options.right.sessions)} sessions; --resume goes on`);
      return 130;
    }
    const code = await conclude(run.right, progress.right, output);
    const seconds = (performance.now() - startedMs) / 1000;
    const done = progress.right.study.sessions - before;
    err(`${plain(done)} sessions in ${plain(seconds)} s, ${plain(done / seconds)} a second; see ${options.right.out}`);
    return code;
  } catch (fault) {
    err(`turnfold: ${reason(fault)}`);
    return 1;
  }
};
