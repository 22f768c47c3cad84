/** The state diagram of `docs/state-diagram.md`, drawn from the transitions that the small worlds went through. */
import type { EventType, PhaseKind } from "../../src/core/index.js";
import type { Transition } from "../../src/testing/index.js";

const phases: readonly PhaseKind[] = [
  "idle",
  "awaitingCatalog",
  "awaitingModel",
  "awaitingSummary",
  "awaitingCompactHooks",
  "awaitingTools",
  "awaitingStopHooks",
  "draining",
];

export interface Diagram {
  readonly see: (transition: Transition) => void;
  readonly render: () => string;
}

/** Phases in the order of the list above, whatever order they were seen in. */
const inOrder = (seen: ReadonlySet<PhaseKind>): readonly PhaseKind[] => phases.filter((phase) => seen.has(phase));

export const createDiagram = (): Diagram => {
  const cells = new Map<EventType, Map<PhaseKind, Set<PhaseKind>>>();
  const reached = (event: EventType, from: PhaseKind): ReadonlySet<PhaseKind> =>
    cells.get(event)?.get(from) ?? new Set();

  const see = ({ event, before, after }: Transition): void => {
    // What is ignored or refused leaves the state as it is, and is no transition.
    if (before === after) return;
    const row = cells.get(event.type) ?? new Map<PhaseKind, Set<PhaseKind>>();
    const cell = row.get(before.phase.kind) ?? new Set<PhaseKind>();
    cells.set(event.type, row.set(before.phase.kind, cell.add(after.phase.kind)));
  };

  const events = (): readonly EventType[] => [...cells.keys()].toSorted();

  const edges = (): readonly string[] =>
    phases.flatMap((from) =>
      phases.flatMap((to) => {
        const labels = events().filter((event) => reached(event, from).has(to));
        return labels.length === 0 ? [] : [`  ${from} --> ${to}: ${labels.join(", ")}`];
      }),
    );

  const rows = (): readonly string[] =>
    events().map((event) => {
      const row = phases.map((from) => inOrder(reached(event, from)).join("<br>"));
      return `| ${event} | ${row.join(" | ")} |`;
    });

  const render = (): string =>
    [
      "# Phases and events",
      "",
      "Drawn from the transitions that the exhaustive worlds went through (`test/properties/exhaustive.test.ts`), so it shows what the",
      "code does. `npm run traces -- --update` does not touch it; `npm run diagram` draws it anew.",
      "",
      "```mermaid",
      "stateDiagram-v2",
      "  [*] --> idle",
      ...edges(),
      "```",
      "",
      "Where each event leads from each phase; an empty cell means that the event is ignored, refused, or changes nothing there.",
      "",
      `| event | ${phases.join(" | ")} |`,
      `|---|${phases.map(() => "---").join("|")}|`,
      ...rows(),
      "",
    ].join("\n");

  return { see, render };
};
