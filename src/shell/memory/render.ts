/** What was recalled, as the text of an answer (`spec/memory-agent-and-harness.md` 1.14). */
import type { Memory } from "./source.js";

/** The whole number next to `value`; from the middle between two, the even one. */
const roundHalfEven = (value: number): number => {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
};

const HOURS_A_DAY = 24;

const ageText = (hours: number): string => {
  if (hours < 1) return "just now";
  if (hours < HOURS_A_DAY) return `${Math.round(hours)}h ago`;
  return `${Number.isNaN(hours) ? 0 : Math.round(hours / HOURS_A_DAY)}d ago`;
};

const line = ({ content, similarity, ageHours }: Memory, index: number): string =>
  `${index + 1}. [${roundHalfEven(similarity * 100)}% · ${ageText(ageHours)}] ${content.trim()}`;

/** In the order given. No line end at the end. */
export const renderAnswer = (query: string, memories: readonly Memory[]): string => {
  if (memories.length === 0) return `No memories resonated with "${query}".`;
  const head = `${memories.length} ${memories.length === 1 ? "memory" : "memories"} for "${query}":`;
  return [head, "", ...memories.map(line)].join("\n");
};
