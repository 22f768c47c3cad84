/**
 * The order of a reply's blocks, kept as replay data: opaque blocks as they came, and places for the text and the calls, which
 * history holds itself. On replay the blocks go back verbatim and in order (F60), around whatever history has kept.
 */
import type { Option } from "fp-ts/lib/Option.js";
import { none, some } from "fp-ts/lib/Option.js";
import { isJson } from "../core/json.js";
import type { ReplayData } from "../core/model.js";
import { rawElements } from "../core/rawJson.js";
import { array } from "./jsonText.js";

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
  if (!isJson(replay.value.json)) return [];
  return rawElements(replay.value.json).flatMap((json): readonly Segment[] => {
    if (json.startsWith("{")) return [{ kind: "opaque", json }];
    return json === '"text"' ? [{ kind: "text" }] : json === '"call"' ? [{ kind: "call" }] : [];
  });
};

/**
 * One item's blocks in order: `text` ("" for none) at its place, and at the latest before the first call, since results must
 * follow calls at once; calls one behind the other in their places; what has none at the end. Reasoning that would stand last
 * is refused by its provider, so then all of it is dropped.
 */
export const arrange = (segments: readonly Segment[], text: string, calls: readonly string[]): readonly string[] => {
  const blocks: string[] = [];
  let textPlaced = false;
  let callsPlaced = 0;
  const placeText = (): void => {
    if (!textPlaced && text !== "") blocks.push(text);
    textPlaced = true;
  };
  const placeCall = (): void => {
    placeText();
    blocks.push(...calls.slice(callsPlaced, callsPlaced + 1));
    callsPlaced += 1;
  };
  for (const segment of segments) {
    if (segment.kind === "opaque") blocks.push(segment.json);
    else if (segment.kind === "text") placeText();
    else placeCall();
  }
  placeText();
  blocks.push(...calls.slice(callsPlaced));
  const last = blocks.at(-1);
  const opaqueLast = segments.some((segment) => segment.kind === "opaque" && segment.json === last);
  return opaqueLast ? [text, ...calls].filter((block) => block !== "") : blocks;
};
