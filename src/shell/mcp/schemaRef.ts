/** Following `$ref` inside one document. */
import { isJsonArray, type Json, member } from "../../core/json.js";

/** What a reference names, and the resource (the nearest node with an `$id` of its own) that references in there start from. */
export interface Target {
  readonly node: Json;
  readonly resource: Json;
}

/** A node with an absolute or relative `$id` starts a resource; `#name` there is only an anchor. */
export const resourceAt = (node: Json, outer: Json): Json => {
  const id = member(node, "$id");
  return typeof id === "string" && !id.startsWith("#") ? node : outer;
};

/** Undefined for what lies outside of the document, for names instead of paths, and for what is not there. */
export const resolve = (ref: Json, resource: Json): Target | undefined => {
  if (typeof ref !== "string" || !/^#(?:\/|$)/.test(ref)) return undefined;
  let target: Target = { node: resource, resource };
  for (const step of ref.split("/").slice(1)) {
    const key = unescape(step);
    const next = key === undefined ? undefined : child(target.node, key);
    if (next === undefined) return undefined;
    target = { node: next, resource: resourceAt(next, target.resource) };
  }
  return target;
};

const unescape = (step: string): string | undefined => {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
};

const child = (node: Json, key: string): Json | undefined =>
  isJsonArray(node) ? (/^(?:0|[1-9]\d*)$/.test(key) ? node[Number(key)] : undefined) : member(node, key);
