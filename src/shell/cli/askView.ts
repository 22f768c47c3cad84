/** A turn as a person reads it in a terminal: thoughts dimmed, a tool call as one line with its outcome, the answer as it is. */
import { isSome, type Option } from "fp-ts/lib/Option.js";
import { assertNever } from "../../core/never.js";
import { headBytes, oneLine, utf8Bytes } from "../../core/text.js";
import type { Finish, Update, UsageReport } from "../../core/update.js";
import type { Accumulator } from "../../core/usage.js";
import { createSessionCost } from "../ledger/sessionCost.js";

export interface AskView {
  readonly show: (update: Update) => void;
  /** The last line: what it took. */
  readonly showUsage: () => void;
}

export interface AskViewDeps {
  /** The answer; what a script would read. */
  readonly out: (line: string) => void;
  /** Everything else. */
  readonly aside: (line: string) => void;
  readonly colours: boolean;
  /** `out` ends at a terminal; elsewhere the answer is passed on as the model gave it. */
  readonly terminal: boolean;
}

/** What a model or a tool says must not move the cursor, change colours or answer for the person at the terminal. */
const harmless = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");

const ARGUMENTS_SHOWN_BYTES = 100;
const OUTCOME_SHOWN_BYTES = 160;

export const createAskView = ({ out, aside, colours, terminal }: AskViewDeps): AskView => {
  const paint = (code: number, text: string): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  const dim = (text: string): string => paint(2, text);
  const calls = new Map<string, string>();
  const cost = createSessionCost();
  let usage: { readonly report: UsageReport; readonly costUsd: Option<number> } | undefined;

  const finished = (key: string, finish: Finish): void => {
    const failed = finish.kind !== "result" || finish.isError;
    const mark = failed ? paint(31, "✗") : paint(32, "✓");
    aside(`${mark} ${calls.get(key) ?? key} ${dim(outcome(finish))}`);
    calls.delete(key);
  };

  const show = (update: Update): void => {
    switch (update.kind) {
      case "thoughtSaid":
        return aside(dim(harmless(update.text)));
      case "messageSaid":
        return out(terminal ? harmless(update.text) : update.text);
      case "toolAnnounced":
        return void calls.set(
          update.key,
          `${update.name} ${dim(shortened(update.argumentsText, ARGUMENTS_SHOWN_BYTES))}`,
        );
      case "toolFinished":
        return finished(update.key, update.finish);
      case "noticeTold":
        return aside(
          `${paint(33, "!")} ${harmless(update.detail === "" ? update.title : `${update.title}: ${update.detail}`)}`,
        );
      case "handoffEnded":
        return aside(dim(`the conversation was summarised to make room (${update.status})`));
      case "historyTruncated":
        return aside(dim(`${update.turnsDropped} old turns were left out to make room`));
      case "usageReported":
        usage = { report: update.report, costUsd: cost(update) };
        return undefined;
      case "turnStarted":
      case "turnEnded":
      case "toolStarted":
      case "contextMeasured":
      case "handoffStarted":
        return undefined;
      default:
        return assertNever(update);
    }
  };

  return {
    show,
    showUsage: () => {
      if (usage !== undefined) aside(dim(usageLine(usage.report, usage.costUsd)));
    },
  };
};

const shortened = (text: string, bytesMax: number): string => {
  const line = oneLine(text, Number.MAX_SAFE_INTEGER);
  return utf8Bytes(line) <= bytesMax ? line : `${headBytes(line, bytesMax)}…`;
};

const outcome = (finish: Finish): string => {
  switch (finish.kind) {
    case "result": {
      const text = finish.parts.map((part) => (part.kind === "text" ? part.text : `[${part.mimeType}]`)).join("\n");
      if (finish.isError) return shortened(text, OUTCOME_SHOWN_BYTES);
      const lines = text.trim() === "" ? 0 : text.trimEnd().split("\n").length;
      return lines <= 1 ? shortened(text, OUTCOME_SHOWN_BYTES) : `${lines} lines, ${utf8Bytes(text)} bytes`;
    }
    case "rejected":
    case "failed":
    case "timedOut":
    case "refused":
      return shortened(finish.message, OUTCOME_SHOWN_BYTES);
    case "cancelled":
      return "cancelled";
    default:
      return assertNever(finish);
  }
};

/** Unknown is said as such: nothing is shown as 0 that was not reported. */
const usageLine = ({ totals, model }: UsageReport, costUsd: Option<number>): string => {
  const { input, output, cacheRead } = totals;
  const cached = cacheRead.kind === "exact" && cacheRead.tokens > 0n ? ` (${counted(cacheRead)} from cache)` : "";
  const cost = isSome(costUsd) ? `, $${costUsd.value.toFixed(4)} by list price` : "";
  return `${model}: ${counted(input)} tokens in${cached}, ${counted(output)} out${cost}`;
};

const counted = (accumulator: Accumulator): string =>
  accumulator.kind === "exact" ? accumulator.tokens.toLocaleString("en-US") : "unknown";
