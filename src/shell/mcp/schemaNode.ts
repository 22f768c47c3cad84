/**
 * One node of a schema and all below it, in the form that every provider takes. The result accepts at least what the original
 * accepts; never less, since a call that the tool would understand must not be refused on its way. References are replaced by
 * what they name, and by an open schema where that would not end.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from "../../core/json.js";
import { isAnnotation, requiredNames, staysAsItIs, typesOf } from "./schemaKeywords.js";
import { resolve, resourceAt } from "./schemaRef.js";

/** Deeper nodes become open. */
const DEPTH_MAX = 64;

/** Where a node stands. */
export interface Place {
  readonly depth: number;
  readonly resource: Json;
  /** Nodes that are being written out through references around this one. */
  readonly open: readonly Json[];
  /** Nodes that references may still write out, in the whole schema: a small one could otherwise name itself into gigabytes. */
  readonly budget: { nodes: number };
}

export const rootPlace = (root: Json, writtenOutMax: number): Place => ({
  depth: 0,
  resource: root,
  open: [root],
  budget: { nodes: writtenOutMax },
});

type Entry = readonly [string, Json];

// Built from entries, so that a property called `__proto__` is one like any other.
const object = (entries: readonly Entry[]): JsonObject => Object.fromEntries(entries);

const mapMembers = (value: JsonObject, change: (member: Json) => Json): JsonObject =>
  object(Object.entries(value).map(([key, each]): Entry => [key, change(each)]));

export const normaliseNode = (node: Json, place: Place): JsonObject => {
  if (!isJsonObject(node) || place.depth > DEPTH_MAX) return {};
  if (place.open.length > 1) place.budget.nodes -= 1;
  const here: Place = { ...place, resource: resourceAt(node, place.resource) };
  return Object.hasOwn(node, "$ref") ? followed(node, here) : object([...plain(node), ...nested(node, here)]);
};

/** What the reference names; the words beside it stay, for they say what this use is for. */
const followed = (node: JsonObject, place: Place): JsonObject => {
  const words = Object.entries(node).filter(([key, value]) => isAnnotation(key) && staysAsItIs(key, value));
  const target = resolve(member(node, "$ref") ?? null, place.resource);
  if (target === undefined || place.open.includes(target.node) || place.budget.nodes <= 0) return object(words);
  const open = [...place.open, target.node];
  const named = normaliseNode(target.node, { ...place, depth: place.depth + 1, resource: target.resource, open });
  return object([...Object.entries(named), ...words]);
};

const plain = (node: JsonObject): readonly Entry[] => {
  const types = typesOf(member(node, "type"));
  const [only] = types ?? [];
  const type: readonly Entry[] =
    types === undefined || only === undefined ? [] : [["type", types.length === 1 ? only : types]];
  return [...type, ...Object.entries(node).filter(([key, value]) => staysAsItIs(key, value))];
};

const nested = (node: JsonObject, place: Place): readonly Entry[] => {
  const below = { ...place, depth: place.depth + 1 };
  const types = typesOf(member(node, "type"));
  const allows = (type: string): boolean => types === undefined || types.includes(type);
  return [
    ...(allows("object") ? ofObject(node, below) : []),
    ...(allows("array") ? ofArray(node, below, types !== undefined) : []),
    ...combinators(node, below),
  ];
};

const ofObject = (node: JsonObject, below: Place): readonly Entry[] => {
  const [properties, patterns] = [member(node, "properties"), member(node, "patternProperties")];
  const additional = member(node, "additionalProperties");
  const required = requiredNames(member(node, "required"));
  // Properties that go by pattern alone would be refused by a closed object once the patterns are gone.
  const closed = !isJsonObject(patterns) || Object.keys(patterns).length === 0;
  return [
    ...(isJsonObject(properties)
      ? [["properties", mapMembers(properties, (each) => normaliseNode(each, below))] as const]
      : []),
    ...(required === undefined ? [] : [["required", required] as const]),
    ...(closed && typeof additional === "boolean" ? [["additionalProperties", additional] as const] : []),
    ...(closed && isJsonObject(additional)
      ? [["additionalProperties", normaliseNode(additional, below)] as const]
      : []),
  ];
};

/** An array type always says what it holds (`items`), since strict readers demand it; tuples hold anything. */
const ofArray = (node: JsonObject, below: Place, isArray: boolean): readonly Entry[] => {
  const items = member(node, "items");
  const isTuple = Object.hasOwn(node, "prefixItems");
  if (isJsonObject(items) && !isTuple) return [["items", normaliseNode(items, below)]];
  return isArray ? [["items", {}]] : [];
};

/** Exactly one of several is loosened to any of them: once branches are loosened, more than one may match. */
const combinators = (node: JsonObject, below: Place): readonly Entry[] => {
  const branches = (keyword: string): readonly JsonObject[] => {
    const listed = member(node, keyword);
    return isJsonArray(listed) ? listed.map((each) => normaliseNode(each, below)) : [];
  };
  const any = branches("anyOf");
  const some = any.length > 0 ? any : branches("oneOf");
  const all = branches("allOf");
  return [...(some.length > 0 ? [["anyOf", some] as const] : []), ...(all.length > 0 ? [["allOf", all] as const] : [])];
};
