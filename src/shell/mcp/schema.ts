/**
 * The schema of a tool's arguments as every provider takes it: total over JSON, always an object schema with `properties`, without
 * combinators at the top, every reference written out (F76). Normalising twice changes nothing, and every object that the
 * original accepts is accepted by the result.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject, member, stringifyJson } from "../../core/json.js";
import { utf8Bytes } from "../../core/text.js";
import { normaliseNode, rootPlace } from "./schemaNode.js";
import { type Top, topOf } from "./schemaTop.js";

/** An object with any members. `properties` is there because some endpoints refuse an object schema without it. */
const OPEN: JsonObject = { type: "object", properties: {} };

/** What references may write out before anything is serialised; far above any limit on the result. */
const WRITTEN_OUT_BYTES_MAX = 4 * 1024 * 1024;

/** `writtenOutMax`: nodes that references may write out; where they would write more, they stay open. */
export const normaliseSchema = (schema: Json | undefined, writtenOutMax = 10_000): JsonObject => {
  const root = schema ?? null;
  const node = normaliseNode(root, rootPlace(root, writtenOutMax));
  return isWithin(node, WRITTEN_OUT_BYTES_MAX) ? objectSchema(node, topOf(node)) : OPEN;
};

const objectSchema = (node: JsonObject, top: Top): JsonObject => {
  const [title, own] = [member(node, "title"), member(node, "description")];
  const description = [typeof own === "string" ? own : "", top.alternatives].filter(Boolean).join("\n");
  return {
    type: "object",
    ...(title === undefined ? {} : { title }),
    ...(description === "" ? {} : { description }),
    properties: Object.fromEntries(top.properties),
    ...(top.required.length === 0 ? {} : { required: top.required }),
    ...(top.additional === undefined ? {} : { additionalProperties: top.additional }),
  };
};

/**
 * Its JSON text. References are written out as far as `bytesMax` bytes allow: many tools share large definitions, and what is
 * said about the arguments themselves matters more. Where the rest alone is too long, an open schema stands for it.
 */
export const schemaText = (
  schema: Json | undefined,
  bytesMax: number,
): { readonly text: string; readonly replaced: boolean } => {
  for (const writtenOutMax of [10_000, 300, 30, 0]) {
    const text = stringifyJson(normaliseSchema(schema, writtenOutMax));
    if (utf8Bytes(text) <= bytesMax) return { text, replaced: false };
  }
  return { text: stringifyJson(OPEN), replaced: true };
};

/** Whether the JSON text would be about that long at most; given up early, since shared parts can make it immense. */
const isWithin = (root: Json, bytesMax: number): boolean => {
  let left = bytesMax;
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    left -= typeof value === "string" ? value.length : 2;
    if (left < 0) return false;
    if (isJsonArray(value)) for (const each of value) open.push(each);
    else if (isJsonObject(value)) {
      for (const [key, each] of Object.entries(value)) {
        left -= key.length;
        open.push(each);
      }
    }
  }
  return true;
};
