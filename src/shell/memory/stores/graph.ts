/** The lines of a knowledge graph (`@modelcontextprotocol/server-memory`) as remembered texts: one for each entity. */
import { isRight } from "fp-ts/lib/Either.js";
import { isJsonArray, isJsonObject, member, parseJson, type Json, type JsonObject } from "../../../core/json.js";
import { recordDate } from "./dates.js";
import { StoreFault } from "./store.js";

export interface GraphText {
  readonly name: string;
  readonly content: string;
  readonly at: number;
}

type GraphLine =
  | { readonly kind: "entity"; readonly name: string; readonly lines: readonly string[]; readonly at: number }
  | {
      readonly kind: "relation";
      readonly from: string;
      readonly to: string;
      readonly text: string;
      readonly at: number;
    };

const strings = (value: Json | undefined): readonly string[] =>
  isJsonArray(value ?? null) && isJsonArray(value) ? value.filter((each) => typeof each === "string") : [];

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Whether this JSON is a line of a knowledge graph at all. */
export const isGraphLine = (line: Json): line is JsonObject => {
  if (!isJsonObject(line)) return false;
  const type = member(line, "type");
  return type === "entity" || type === "relation";
};

const readLine = (line: JsonObject, fileAt: number): GraphLine => {
  const at = recordDate(line) ?? fileAt;
  if (member(line, "type") === "entity") {
    const [name, type] = [text(member(line, "name")), text(member(line, "entityType"))];
    const head = type === "" ? name : `${name} (${type})`;
    return { kind: "entity", name, lines: [head, ...strings(member(line, "observations"))], at };
  }
  const [from, to] = [text(member(line, "from")), text(member(line, "to"))];
  return { kind: "relation", from, to, text: `${from} ${text(member(line, "relationType"))} ${to}`, at };
};

/** All lines, or the fault: whoever writes the file in place (the server once did) leaves half a line for a moment. */
const parseLines = (file: string, fileAt: number): readonly GraphLine[] => {
  const lines = file.split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const parsed = parseJson(line);
    if (isRight(parsed) && isGraphLine(parsed.right)) return [readLine(parsed.right, fileAt)];
    throw new StoreFault(
      index === last
        ? "the store is half written; ask again in a moment"
        : `the store is damaged: line ${index + 1} is no part of a knowledge graph`,
    );
  });
};

/** Relations are said with the entities at both of their ends; one without an entity stands for itself. */
export const readGraph = (file: string, fileAt: number): readonly GraphText[] => {
  const lines = parseLines(file, fileAt);
  const entities = new Map<string, { lines: string[]; at: number }>();
  for (const line of lines) {
    if (line.kind !== "entity") continue;
    const before = entities.get(line.name);
    if (before === undefined) entities.set(line.name, { lines: [...line.lines], at: line.at });
    else before.lines.push(...line.lines);
  }
  for (const line of lines) {
    if (line.kind !== "relation") continue;
    const ends = new Set([entities.get(line.from), entities.get(line.to)]);
    ends.delete(undefined);
    for (const entity of ends) entity?.lines.push(line.text);
    if (ends.size === 0) entities.set(line.text, { lines: [line.text], at: line.at });
  }
  return Array.from(entities, ([name, { lines: said, at }]) => ({ name, content: said.join("\n"), at }));
};
