/**
 * The order of a reply's blocks, kept as replay data: opaque blocks as they came, and places for the text and the calls, which
 * history holds itself. On replay the blocks go back verbatim and in order (F60), around whatever history has kept.
 */
import { isLeft } from "fp-ts/lib/Either.js";
import type { Option } from "fp-ts/lib/Option.js";
import { none, some } from "fp-ts/lib/Option.js";
import { parseJson } from "../core/json.js";
import type { ReplayData } from "../core/model.js";
import { rawElements } from "../core/rawJson.js";
import { array, isObjectText } from "./jsonText.js";

export type Segment =
  { readonly kind: "opaque"; readonly json: string } | { readonly kind: "text" } | { readonly kind: "call" };

/** Replay data for what was received, or none where nothing opaque was. */
export const replayOf = (dialect: string, model: string, segments: readonly Segment[]): Option<ReplayData> => {
  if (!segments.some((segment) => segment.kind === "opaque")) return none;
  const json = array(segments.map((segment) => (segment.kind === "opaque" ? segment.json : `"${segment.kind}"`)));
  return some({ dialect, model, json });
};

/** The segments of replay data of this dialect and model; none of them for any other, or for what we have not written. */
export const segmentsOf = (replay: Option<ReplayData>, dialect: string, model: string): readonly Segment[] => {
  if (replay._tag === "None" || replay.value.dialect !== dialect || replay.value.model !== model) return [];
  if (isLeft(parseJson(replay.value.json))) return [];
  return rawElements(replay.value.json).flatMap((json): readonly Segment[] => {
    if (isObjectText(json)) return [{ kind: "opaque", json }];
    return json === '"text"' ? [{ kind: "text" }] : json === '"call"' ? [{ kind: "call" }] : [];
  });
};

/**
 * One item's blocks in order: `text` ("" for none) at its first place, calls one behind the other in theirs, what has no place
 * at the end. Reasoning that would stand last is refused by its provider, so then all of it is dropped.
 */
export const arrange = (segments: readonly Segment[], text: string, calls: readonly string[]): readonly string[] => {
  const blocks: string[] = [];
  let textLeft = text;
  let call = 0;
  let opaqueLast = false;
  for (const segment of segments) {
    const block = segment.kind === "opaque" ? segment.json : segment.kind === "text" ? textLeft : (calls[call] ?? "");
    if (segment.kind === "text") textLeft = "";
    if (segment.kind === "call") call += 1;
    if (block === "") continue;
    blocks.push(block);
    opaqueLast = segment.kind === "opaque";
  }
  const rest = [textLeft, ...calls.slice(call)].filter((block) => block !== "");
  if (opaqueLast && rest.length === 0) return [text, ...calls].filter((block) => block !== "");
  return [...blocks, ...rest];
};
