/** What the client is told, by meaning. The ACP encoder of the negotiated version turns each into frames. */
import type { Option } from "fp-ts/lib/Option.js";
import type { ToolOutcome } from "./event.js";
import type { Identity, UsageTotals } from "./usage.js";

/** Figures after a usage-bearing reply. `totals` are session-cumulative; only exact ones are published. */
export interface UsageReport {
  readonly totals: UsageTotals;
  /** Of the running turn; published only while proven. */
  readonly identity: Identity;
  /** Model of the request that this report answers, even if another was chosen meanwhile. */
  readonly model: string;
  readonly authority: Option<string>;
  readonly windowTokens: number;
}

/** What the client sees of a finished call. `result` is what the model sees, without the texts that we add for it. */
export type Finish = ToolOutcome | { readonly kind: "refused"; readonly message: string };

export type Severity = "info" | "warning" | "error";

export type Update =
  | { readonly kind: "turnStarted"; readonly runId: string }
  | { readonly kind: "turnEnded"; readonly runId: string }
  | { readonly kind: "thoughtSaid"; readonly messageId: string; readonly text: string }
  | { readonly kind: "messageSaid"; readonly messageId: string; readonly text: string }
  /** A call is announced once (`pending`), started at most once (`in_progress`), finished exactly once. */
  | { readonly kind: "toolAnnounced"; readonly key: string; readonly name: string; readonly argumentsText: string }
  | { readonly kind: "toolStarted"; readonly key: string }
  | { readonly kind: "toolFinished"; readonly key: string; readonly finish: Finish }
  | { readonly kind: "usageReported"; readonly report: UsageReport }
  /** How full the window was at the last ordinary reply. Both in tokens; `usedTokens` never exceeds `windowTokens`. */
  | { readonly kind: "contextMeasured"; readonly usedTokens: number; readonly windowTokens: number }
  | { readonly kind: "handoffStarted"; readonly handoff: number }
  | {
      readonly kind: "handoffEnded";
      readonly handoff: number;
      readonly status: "completed" | "failed" | "cancelled";
      /** The summary, or why there is none. */
      readonly text: string;
    }
  | { readonly kind: "historyTruncated"; readonly turnsDropped: number; readonly bytesDropped: number }
  /** Something the person should know. Clients that take no notices get it on stderr and at the start of the next turn. */
  | { readonly kind: "noticeTold"; readonly severity: Severity; readonly title: string; readonly detail: string };
