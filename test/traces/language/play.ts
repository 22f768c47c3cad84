/** Plays a trace: comments and commands stay, everything below a command is printed anew. */
import { defaultPolicy, initialSession, step, type Effect, type Session } from "../../../src/core/index.js";
import { begin, faultsOf, observable, playEvent, type Play, type Transition } from "../../../src/testing/index.js";
import { eventOf, settingsFrom } from "./commands.js";
import { handoffLines, historyLines, line, summaryLines, toolLines } from "./print.js";
import { optionsOf, wordsOf, type Word } from "./words.js";

const none = { _tag: "None" } as const;

const limit = (name: string, value: string): readonly [string, unknown] => {
  if (value === "true" || value === "false") return [name, value === "true"];
  return [name, /^\d+$/.test(value) ? Number(value) : value];
};

/** A session with the limits and settings that the words name; without any, the defaults. */
const sessionFrom = (words: readonly Word[]): Session => {
  const limits = [...optionsOf(words)].filter(([name]) => Object.hasOwn(defaultPolicy, name));
  const policy = { ...defaultPolicy, ...Object.fromEntries(limits.map(([name, value]) => limit(name, value))) };
  const base = { model: "m1", effort: none, windowTokens: 200_000, maxOutputTokens: 32_768, authority: none };
  return initialSession({
    id: "s1",
    policy,
    system: "You are a trace.",
    settings: settingsFrom(words, base),
  });
};

interface Stage {
  readonly play: Play;
  readonly run: readonly Transition[];
  readonly summary: Extract<Effect, { readonly type: "summarise" }> | undefined;
}

const show = (stage: Stage, what: string): readonly string[] => {
  switch (what) {
    case "history":
      return historyLines(stage.play.session);
    case "handoff":
      return handoffLines(stage.play.session);
    case "tools":
      return toolLines(stage.play.session);
    case "summary":
      return stage.summary === undefined ? ["  none"] : summaryLines(stage.summary.request);
    default:
      throw new Error(`nothing to show: ${what}`);
  }
};

const played = (stage: Stage, words: readonly Word[]): readonly [Stage, readonly string[]] => {
  const [play, done] = playEvent(step, stage.play, eventOf(words, stage.play));
  const summary = done.effects.findLast((effect) => effect.type === "summarise") ?? stage.summary;
  const from = done.before.phase.kind;
  const to = done.after.phase.kind;
  return [
    { play, run: [...stage.run, done], summary },
    [...done.effects.map((effect) => `  ${line(effect)}`), ...(from === to ? [] : [`  = ${to}`])],
  ];
};

/** The trace as it should stand in its file, and the faults that the invariants find in it. */
export const playTrace = (source: string): { readonly text: string; readonly faults: readonly string[] } => {
  let stage: Stage = { play: begin(sessionFrom([])), run: [], summary: undefined };
  const lines: string[] = [];
  for (const text of source.split("\n")) {
    if (text.startsWith("#") || text === "") lines.push(text);
    if (!text.startsWith("> ")) continue;
    lines.push(text);
    const words = wordsOf(text.slice(2));
    const name = words[0]?.text;
    if (name === "session") stage = { play: begin(sessionFrom(words)), run: [], summary: undefined };
    else if (name === "show") lines.push(...show(stage, words[1]?.text ?? ""));
    else {
      const [next, printed] = played(stage, words);
      stage = next;
      lines.push(...printed);
    }
  }
  return { text: lines.join("\n"), faults: faultsOf(observable, stage.run) };
};
