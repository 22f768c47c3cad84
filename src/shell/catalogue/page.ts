/** Lists of models, page by page as hosts give them: what is a model to talk with, and what follows (spec/providers.md 13, 16.4). */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import * as t from "io-ts";

export interface ListedModel {
  readonly id: string;
  /** Milliseconds since 1970; none where the listing does not say. */
  readonly createdAt: O.Option<number>;
}

export interface Page {
  readonly models: readonly ListedModel[];
  readonly next: O.Option<string>;
}

/** Left: what is wrong with the page, as the end of a sentence. */
export type ReadPage = (json: unknown) => E.Either<string, Page>;

const objects = (json: unknown, member: string): E.Either<string, readonly Record<string, unknown>[]> => {
  const list = t.UnknownRecord.is(json) ? json[member] : undefined;
  return Array.isArray(list) ? E.right(list.filter(t.UnknownRecord.is)) : E.left(`has no list '${member}'`);
};

const nextOf = (json: unknown): O.Option<string> => {
  const token = t.UnknownRecord.is(json) ? json["next_page_token"] : undefined;
  return typeof token === "string" && token !== "" ? O.some(token) : O.none;
};

const pageOf = (json: unknown, member: string, modelOf: (entry: Record<string, unknown>) => O.Option<ListedModel>) =>
  E.map((entries: readonly Record<string, unknown>[]): Page => ({
    models: entries.flatMap((entry) => {
      const model = modelOf(entry);
      return O.isSome(model) ? [model.value] : [];
    }),
    next: nextOf(json),
  }))(objects(json, member));

const nameOf = (entry: Record<string, unknown>): string => (typeof entry["name"] === "string" ? entry["name"] : "");

/** `GET /models` as OpenAI, Anthropic, OpenRouter, Ollama and the rest have it in common; other members are theirs. */
export const readHostModels: ReadPage = (json) =>
  pageOf(json, "data", ({ id }) => (typeof id === "string" && id !== "" ? O.some({ id, createdAt: O.none }) : O.none));

const CHAT_TASKS: readonly unknown[] = [undefined, null, "llm/v1/chat", "llm/v1/completions"];

/** Model serving: endpoints that are ready and meant for chat. One page holds them all. */
export const readServingEndpoints: ReadPage = (json) =>
  pageOf(json, "endpoints", (entry) => {
    const { state, task } = entry;
    const ready = t.UnknownRecord.is(state) ? (state["ready"] ?? "READY") : "READY";
    const usable = nameOf(entry) !== "" && ready === "READY" && CHAT_TASKS.includes(task);
    return usable ? O.some({ id: nameOf(entry), createdAt: O.none }) : O.none;
  });

const timestamp = (value: unknown): O.Option<number> => {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  return /^\d{1,16}$/.test(text) ? O.some(Number(text)) : O.none;
};

/** Embedding models cannot talk; whole segments only, so that a name that merely contains the letters stays. */
const isEmbedding = (name: string): boolean =>
  /embedding/i.test(name) || name.split("-").some((segment) => segment === "bge" || segment === "gte");

export const readGatewayEndpoints: ReadPage = (json) =>
  pageOf(json, "endpoints", (entry) => {
    const id = nameOf(entry);
    return id === "" || isEmbedding(id) ? O.none : O.some({ id, createdAt: timestamp(entry["created_timestamp"]) });
  });

const SERVICE_PREFIX = "model-services/";

export const readModelServices: ReadPage = (json) =>
  pageOf(json, "model_services", (entry) => {
    const name = nameOf(entry);
    const types = entry["supported_api_types"];
    const talks = !Array.isArray(types) || types.length === 0 || types.includes("mlflow/v1/chat/completions");
    return name.startsWith(SERVICE_PREFIX) && talks
      ? O.some({ id: name.slice(SERVICE_PREFIX.length), createdAt: O.none })
      : O.none;
  });
