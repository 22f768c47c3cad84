import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { mergeListings, newestFirst } from "../../../src/shell/catalogue/merge.js";
import {
  readGatewayEndpoints,
  readHostModels,
  readModelServices,
  readServingEndpoints,
  type ReadPage,
} from "../../../src/shell/catalogue/page.js";

const ids = (read: ReadPage, json: unknown) => {
  const page = read(json);
  return E.isLeft(page) ? page.left : page.right.models.map(({ id }) => id);
};

describe("model serving", () => {
  test("lists what is ready and meant for chat; what it does not say counts as both", () => {
    const endpoints = [
      { name: "chat", state: { ready: "READY" }, task: "llm/v1/chat" },
      { name: "completions", state: { ready: "READY" }, task: "llm/v1/completions" },
      { name: "silent" },
      { name: "stateless", state: {} },
      { name: "starting", state: { ready: "NOT_READY" }, task: "llm/v1/chat" },
      { name: "embedder", task: "llm/v1/embeddings" },
      { name: 7 },
      null,
    ];
    expect(ids(readServingEndpoints, { endpoints })).toEqual(["chat", "completions", "silent", "stateless"]);
    expect(ids(readServingEndpoints, { endpoints: [] })).toEqual([]);
  });

  test.each([{}, [], null, "x", { endpoints: {} }])("%j is no listing", (json) => {
    expect(ids(readServingEndpoints, json)).toBe("has no list 'endpoints'");
  });
});

describe("the gateway", () => {
  test("lists all but embedding models, told by whole segments of their names", () => {
    const names = ["databricks-gpt-5-5", "bge-large", "my-gte", "text-Embedding-3", "bgem-chat", "flux-image", ""];
    expect(ids(readGatewayEndpoints, { endpoints: names.map((name) => ({ name })) })).toEqual([
      "databricks-gpt-5-5",
      "bgem-chat",
      "flux-image",
    ]);
    expect(ids(readGatewayEndpoints, {})).toBe("has no list 'endpoints'");
  });

  test.each([
    [{ endpoints: [], next_page_token: "abc" }, O.some("abc")],
    [{ endpoints: [], next_page_token: "" }, O.none],
    [{ endpoints: [], next_page_token: 7 }, O.none],
    [{ endpoints: [] }, O.none],
  ])("%j goes on as it says", (json, next) => {
    expect(readGatewayEndpoints(json)).toMatchObject(E.right({ next }));
  });

  test.each([
    [1_700_000_000_000, O.some(1_700_000_000_000)],
    [" 1700000000000 ", O.some(1_700_000_000_000)],
    ["yesterday", O.none],
    [1.5, O.none],
    [undefined, O.none],
  ])("a time of %j is read or left out", (created_timestamp, createdAt) => {
    const page = readGatewayEndpoints({ endpoints: [{ name: "a", created_timestamp }] });
    expect(page).toEqual(E.right({ models: [{ id: "a", createdAt }], next: O.none }));
  });

  test("puts the newest first, those without a time last, and names decide between equals", () => {
    const models = [
      { id: "b", createdAt: O.some(1) },
      { id: "z", createdAt: O.none },
      { id: "new", createdAt: O.some(9) },
      { id: "a", createdAt: O.some(1) },
      { id: "y", createdAt: O.none },
    ];
    expect(models.toSorted(newestFirst).map(({ id }) => id)).toEqual(["new", "a", "b", "y", "z"]);
  });
});

test("Unity Catalog lists services that can chat, without the prefix of its names", () => {
  const model_services = [
    { name: "model-services/main.ai.chat", supported_api_types: ["mlflow/v1/chat/completions", "x"] },
    { name: "model-services/main.ai.any" },
    { name: "model-services/main.ai.empty", supported_api_types: [] },
    { name: "model-services/main.ai.embed", supported_api_types: ["mlflow/v1/embeddings"] },
    { name: "other/main.ai.chat" },
  ];
  expect(ids(readModelServices, { model_services })).toEqual(["main.ai.chat", "main.ai.any", "main.ai.empty"]);
});

test("other hosts list ids", () => {
  expect(ids(readHostModels, { data: [{ id: "a" }, { id: "" }, { id: 1 }, "x"] })).toEqual(["a"]);
});

describe("the catalogue", () => {
  const listed = (...names: readonly string[]) => names.map((id) => ({ id, createdAt: O.none }));
  const merged = (endpoints: readonly string[], services: readonly string[], ...filter: readonly string[]) =>
    mergeListings(listed(...endpoints), listed(...services), filter).map(({ id }) => id);

  test("has the endpoints in their order, then the services by name, each once", () => {
    expect(merged(["z", "a"], ["main.b", "a", "main.a"])).toEqual(["z", "a", "main.a", "main.b"]);
  });

  test("names models without the words that a catalogue puts before them", () => {
    expect(mergeListings(listed("databricks-claude-opus-4-7", "kgoose-x", "goose-", "plain"), [], [])).toEqual([
      { id: "databricks-claude-opus-4-7", name: "claude-opus-4-7" },
      { id: "kgoose-x", name: "x" },
      { id: "goose-", name: "goose-" },
      { id: "plain", name: "plain" },
    ]);
  });

  test("of a host that lists nothing is a default that says so", () => {
    expect(mergeListings([], [], [])).toEqual([
      { id: "databricks-gpt-5-5", name: "gpt-5-5 (default catalog)" },
      { id: "databricks-claude-opus-4-7", name: "claude-opus-4-7 (default catalog)" },
    ]);
  });

  test.each([
    [["*gpt*"], ["databricks-gpt-5-5"]],
    [["a?c", "zzz"], ["abc"]],
    [["A?C"], []],
    [["a.c"], []],
    [["*"], ["databricks-gpt-5-5", "abc", "a/c+"]],
    [["a/c+"], ["a/c+"]],
  ])("under the filter %j is what matches whole", (filter, expected) => {
    expect(merged(["databricks-gpt-5-5", "abc", "a/c+"], [], ...filter)).toEqual(expected);
  });

  test("that a filter leaves empty is empty", () => {
    expect(merged([], [], "x")).toEqual([]);
  });
});
