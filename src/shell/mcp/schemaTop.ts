/**
 * The top of a schema without combinators. Providers refuse `anyOf`, `oneOf` and `allOf` there, and one such tool makes every
 * request fail (F76a). What all of several schemas demand is merged; of what any of them allows, all is allowed.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject, member, stringifyJson } from "../../core/json.js";
import { clampText } from "../../core/text.js";
import { isAnnotation, requiredNames, typesOf } from "./schemaKeywords.js";

export interface Top {
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: readonly string[];
  /** Undefined: other members may be anything. */
  readonly additional: Json | undefined;
  /** Which of its members are needed together, in words; "" where the schema has no alternatives. */
  readonly alternatives: string;
}

const ALTERNATIVES_BYTES_MAX = 1024;

const allowsObject = (node: JsonObject): boolean => typesOf(member(node, "type"))?.includes("object") ?? true;

const branches = (node: JsonObject, keyword: "anyOf" | "allOf"): readonly Top[] => {
  const listed = member(node, keyword);
  return isJsonArray(listed) ? listed.filter(isJsonObject).filter(allowsObject).map(topOf) : [];
};

/** `node` is normalised (`schemaNode.ts`). What it does not allow to be an object has an open top. */
export const topOf = (node: JsonObject): Top => {
  const own: Top = {
    properties: new Map(Object.entries(membersOf(node))),
    required: requiredNames(member(node, "required")) ?? [],
    additional: member(node, "additionalProperties"),
    alternatives: "",
  };
  if (!allowsObject(node)) return { ...own, properties: new Map(), required: [], additional: undefined };
  return eitherOf(branches(node, "allOf").reduce(bothOf, own), branches(node, "anyOf"));
};

const membersOf = (node: JsonObject): JsonObject => {
  const properties = member(node, "properties");
  return isJsonObject(properties) ? properties : {};
};

const union = (...names: readonly (readonly string[])[]): readonly string[] => [...new Set(names.flat())];

/** An object that satisfies both satisfies this. What stands in both is taken from the first. */
const bothOf = (one: Top, other: Top): Top => ({
  properties: new Map([...other.properties, ...one.properties]),
  required: union(one.required, other.required),
  additional: one.additional,
  alternatives: one.alternatives || other.alternatives,
});

/** An object that satisfies `all` and any of `some` satisfies this. */
const eitherOf = (all: Top, some: readonly Top[]): Top => {
  if (some.length === 0) return all;
  const names = union(...some.map(({ properties }) => [...properties.keys()])).filter(
    (name) => !all.properties.has(name),
  );
  const [first = []] = some.map(({ required }) => required);
  const always = first.filter((name) => some.every(({ required }) => required.includes(name)));
  const closed = some.every(({ additional }) => additional === false);
  return {
    properties: new Map([...all.properties, ...names.map((name) => [name, anyMember(name, some)] as const)]),
    required: union(all.required, always),
    additional: all.additional ?? (closed ? false : undefined),
    alternatives: all.alternatives || inWords(some),
  };
};

/** What a member may be if any of the branches counts. A branch that does not mention it, and is not closed, allows anything. */
const anyMember = (name: string, some: readonly Top[]): Json => {
  const allowed = some.flatMap(({ properties, additional }) => {
    const own = properties.get(name) ?? additional ?? {};
    return isJsonObject(own) ? [own] : own === true ? [{}] : [];
  });
  const [first = {}] = allowed.filter((each) => Object.keys(each).length > 0);
  const different = new Map(allowed.map((each) => [stringifyJson(each), each]));
  if (different.has("{}"))
    return Object.fromEntries(Object.entries(first).filter(([keyword]) => isAnnotation(keyword)));
  return different.size <= 1 ? first : { anyOf: [...different.values()] };
};

const inWords = (some: readonly Top[]): string => {
  const groups = [...new Set(some.map(({ required }) => required.join(", ")))].filter((group) => group !== "");
  return groups.length < 2 ? "" : clampText(`Needed are: ${groups.join("; or: ")}.`, ALTERNATIVES_BYTES_MAX, "…");
};
