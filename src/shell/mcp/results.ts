/**
 * What a tool answered, as parts of a result. Nothing is dropped silently: what the model cannot be given becomes a marker that
 * names it (F65). Bounding text and judging images is the core's, on entry.
 */
import type { ToolOutcome } from "../../core/event.js";

import type { ResultPart } from "../../core/history.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject, member, stringifyJson } from "../../core/json.js";
import { REDUCER_LIMITS } from "../../core/policy.js";
import { oneLine, utf8Bytes } from "../../core/text.js";

type Result = Extract<ToolOutcome, { readonly kind: "result" }>;

/** Of `tools/call`. Text-like blocks in a row are one part, a line each, as the model will read them. */
export const toolOutcome = (result: JsonObject): Result => {
  const content = member(result, "content");
  const parts = isJsonArray(content) ? joined(content.map(part)) : [];
  const structured = member(result, "structuredContent") ?? member(result, "toolResult");
  return {
    kind: "result",
    parts: parts.length === 0 && structured !== undefined ? [text(stringifyJson(structured))] : parts,
    isError: member(result, "isError") === true,
  };
};

const joined = (parts: readonly ResultPart[]): readonly ResultPart[] => {
  const out: ResultPart[] = [];
  let run: string[] = [];
  const flush = (): void => {
    if (run.length > 0) out.push(text(run.join("\n")));
    run = [];
  };
  for (const next of parts) {
    if (next.kind === "text") {
      run.push(next.text);
      continue;
    }
    flush();
    out.push(next);
  }
  flush();
  return out;
};

const part = (block: Json): ResultPart => {
  const type = member(block, "type");
  switch (typeof type === "string" ? type : "") {
    case "text":
      return withText(block, member(block, "text"));
    case "image":
      return image(block);
    case "audio":
      return text(`[audio: ${field(member(block, "mimeType"))}, ${base64Size(member(block, "data"))}]`);
    case "resource_link":
      return text(`[resource: ${field(member(block, "uri"))}]`);
    case "resource":
      return resource(block);
    default:
      return unknown(block);
  }
};

const withText = (block: Json, value: Json | undefined): ResultPart =>
  typeof value === "string" ? text(value) : unknown(block);

const image = (block: Json): ResultPart => {
  const data = member(block, "data");
  const mimeType = member(block, "mimeType");
  return typeof data === "string" && typeof mimeType === "string"
    ? { kind: "image", mimeType, dataBase64: data }
    : unknown(block);
};

const resource = (block: Json): ResultPart => {
  const embedded = member(block, "resource");
  const embeddedText = member(embedded, "text");
  if (typeof embeddedText === "string") return text(embeddedText);
  const blob = member(embedded, "blob");
  const named = `${field(member(embedded, "uri"))}, ${field(member(embedded, "mimeType"))}`;
  return typeof blob === "string" ? text(`[resource: ${named}, ${base64Size(blob)}]`) : unknown(block);
};

const unknown = (block: Json): ResultPart => {
  const type = member(block, "type");
  const what = isJsonObject(block)
    ? typeof type === "string"
      ? `of type ${field(type)}`
      : "without a type"
    : "no object";
  return text(`[unreadable content block: ${what}, ${utf8Bytes(stringifyJson(block))} bytes]`);
};

const text = (value: string): ResultPart => ({ kind: "text", text: value });

const field = (value: Json | undefined): string =>
  typeof value === "string" ? oneLine(value, REDUCER_LIMITS.markerFieldBytesMax.default) : "unnamed";

const base64Size = (data: Json | undefined): string =>
  typeof data === "string" ? `${data.length} base64 bytes` : "no data";
