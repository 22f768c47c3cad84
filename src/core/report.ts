/** Usage of a turn: folded, and told to the client (`spec/turn-loop.md` 6). */
import { isSome, some } from "fp-ts/lib/Option.js";
import type { Settings } from "./model.js";
import { foldIdentity, foldUsage, isUsageBearing, mergeUsage, type ReportedUsage } from "./usage.js";
import { publish, type OpenTurn, type Work } from "./work.js";

const publishReport = (work: Work, turn: OpenTurn, settings: Settings): void =>
  publish(work, {
    kind: "usageReported",
    report: {
      totals: mergeUsage(work.session.usage, turn.usage),
      identity: turn.identity,
      model: settings.model,
      authority: settings.authority,
      windowTokens: settings.windowTokens,
    },
  });

/** Folds what one reply reported, and tells it. `settings` are those of the request that was answered. */
export const foldReply = (work: Work, turn: OpenTurn, settings: Settings, usage: ReportedUsage): void => {
  if (!isUsageBearing(usage)) return;
  turn.usage = foldUsage(turn.usage, usage);
  turn.identity = foldIdentity(turn.identity, settings.authority, settings.model);
  turn.reportedSettings = some(settings);
  publishReport(work, turn, settings);
};

/** The last report before the turn's answer, if a usage-bearing reply came: then input or output is no longer unseen. */
export const reportTurn = (work: Work, turn: OpenTurn): void => {
  const settings = turn.reportedSettings;
  if (isSome(settings)) publishReport(work, turn, settings.value);
};
