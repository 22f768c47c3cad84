/**
 * The models that a Databricks workspace serves, as its listings tell them (`spec/providers.md` 13.3, 13.4 and 16.4). Pure: which
 * requests to send, how an answer is read, and what the lists come to together.
 */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { none, type Option, some } from "fp-ts/lib/Option.js";
import { isJsonArray, type Json, member, parseJson } from "../core/json.js";

export interface CatalogModel {
  readonly id: string;
  /** As a person sees it. */
  readonly name: string;
}

/** An entry of a listing, and when it was made (milliseconds since 1970), where that is told. */
export interface ListedModel {
  readonly id: string;
  readonly createdMs: Option<number>;
}

/** One page of a listing; `next` names the following one. */
export interface Page {
  readonly models: readonly ListedModel[];
  readonly next: Option<string>;
}

/** A listing: where its pages are, and how one is read. Left: one line of what is wrong with it. */
export interface Listing {
  readonly path: (pageToken: Option<string>) => string;
  readonly parse: (body: string) => Either<string, Page>;
}

/** A listing that goes on for more pages, or comes back to one, is an error. */
export const CATALOG_PAGES_MAX = 20;

const textOf = (entry: Json, name: string): string => {
  const value = member(entry, name);
  return typeof value === "string" ? value : "";
};

/** The entries of an array that has to be there, each read alone: one that is malformed costs only itself. */
const pageOf = (body: string, name: string, read: (entry: Json) => Option<ListedModel>): Either<string, Page> => {
  const parsed = parseJson(body);
  if (isLeft(parsed)) return left(`the listing is not JSON: ${parsed.left}`);
  const entries = member(parsed.right, name);
  if (!isJsonArray(entries)) return left(`the listing has no '${name}' array`);
  const models = entries.map(read).flatMap((model) => (model._tag === "Some" ? [model.value] : []));
  const next = textOf(parsed.right, "next_page_token");
  return right({ models, next: next === "" ? none : some(next) });
};

const paged = (path: string, token: Option<string>): string =>
  token._tag === "None" ? path : `${path}&page_token=${percentEncoded(token.value)}`;

/** All but RFC 3986's unreserved characters; `encodeURIComponent` leaves five more. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const CHAT_TASKS = new Set(["llm/v1/chat", "llm/v1/completions"]);

/** Model serving: endpoints that are ready and converse, in the order of the listing. */
export const servingEndpoints: Listing = {
  path: () => "/api/2.0/serving-endpoints",
  parse: (body) =>
    pageOf(body, "endpoints", (entry) => {
      const ready = member(member(entry, "state"), "ready");
      const task = member(entry, "task");
      const fits = ready === undefined || ready === "READY";
      const converses = task === undefined || (typeof task === "string" && CHAT_TASKS.has(task));
      const id = textOf(entry, "name");
      return id !== "" && fits && converses ? some({ id, createdMs: none }) : none;
    }),
};

/** AI gateway: endpoints, embedding models left out by name. */
export const gatewayEndpoints: Listing = {
  path: (token) => paged("/api/ai-gateway/v2/endpoints?page_size=100", token),
  parse: (body) =>
    pageOf(body, "endpoints", (entry) => {
      const id = textOf(entry, "name");
      return id !== "" && !isEmbedding(id)
        ? some({ id, createdMs: instantOf(member(entry, "created_timestamp")) })
        : none;
    }),
};

const EMBEDDING_FAMILIES = new Set(["bge", "gte"]);

const isEmbedding = (id: string): boolean =>
  id.toLowerCase().includes("embedding") || id.split("-").some((segment) => EMBEDDING_FAMILIES.has(segment));

/** An integer, or the text of one. */
const instantOf = (value: Json | undefined): Option<number> => {
  const number = typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? some(number) : none;
};

const SERVICE_PREFIX = "model-services/";
const CHAT_API = "mlflow/v1/chat/completions";

/** Unity Catalog: model services that speak Chat, named `<catalog>.<schema>.<service>`. */
export const modelServices: Listing = {
  path: (token) => paged("/api/2.1/unity-catalog/model-services?page_size=100&view=FULL", token),
  parse: (body) =>
    pageOf(body, "model_services", (entry) => {
      const name = textOf(entry, "name");
      const id = name.startsWith(SERVICE_PREFIX) ? name.slice(SERVICE_PREFIX.length) : "";
      const apis = member(entry, "supported_api_types");
      const converses = !isJsonArray(apis) || apis.length === 0 || apis.includes(CHAT_API);
      return id !== "" && converses ? some({ id, createdMs: none }) : none;
    }),
};

/** What a workspace has that lists nothing: known to be served everywhere. */
const DEFAULTS = ["databricks-gpt-5-5", "databricks-claude-opus-4-7"];

/**
 * The lists of the gateway and of Unity Catalog as one: endpoints newest first, then services by name, each id once, and only
 * what `filter` names (all, if it is empty). Two empty lists without a filter are the default catalogue.
 */
export const gatewayCatalog = (
  endpoints: readonly ListedModel[],
  services: readonly ListedModel[],
  filter: readonly string[],
): readonly CatalogModel[] => {
  if (endpoints.length === 0 && services.length === 0 && filter.length === 0) {
    return DEFAULTS.map((id) => ({ id, name: `${id} (default catalog)` }));
  }
  const ids = [...endpoints.toSorted(newestFirst), ...services.toSorted(byName)].map(({ id }) => id);
  return filtered([...new Set(ids)], filter).map((id) => ({ id, name: id }));
};

const byName = (a: ListedModel, b: ListedModel): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** What does not say when it was made comes last. */
const newestFirst = (a: ListedModel, b: ListedModel): number => {
  const [first, second] = [a, b].map(({ createdMs }) => (createdMs._tag === "Some" ? createdMs.value : -Infinity));
  return first === second ? byName(a, b) : (second ?? 0) > (first ?? 0) ? 1 : -1;
};

/** Ids that some pattern matches as a whole, case-sensitively: `*` is any text, `?` one character. Without patterns all. */
export const filtered = (ids: readonly string[], patterns: readonly string[]): readonly string[] => {
  if (patterns.length === 0) return ids;
  const matchers = patterns.map((pattern) => new RegExp(`^${pattern.split("").map(globPart).join("")}$`, "su"));
  return ids.filter((id) => matchers.some((matcher) => matcher.test(id)));
};

const globPart = (char: string): string =>
  char === "*" ? ".*" : char === "?" ? "." : char.replace(/[\\^$.|+()[\]{}/]/, "\\$&");
