import { isLeft, right } from "fp-ts/lib/Either.js";
import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, it } from "vitest";
import {
  filtered,
  gatewayCatalog,
  gatewayEndpoints,
  type Listing,
  type ListedModel,
  modelServices,
  servingEndpoints,
} from "../../../src/providers/databricksCatalog.js";

const idsOf = (listing: Listing, body: object): readonly string[] => {
  const page = listing.parse(JSON.stringify(body));
  if (isLeft(page)) throw new Error(page.left);
  return page.right.models.map(({ id }) => id);
};
const listed = (id: string, createdMs?: number): ListedModel => ({
  id,
  createdMs: createdMs === undefined ? none : some(createdMs),
});

describe("model serving", () => {
  it("lists what is ready and converses, absent fields included, in its order", () => {
    const endpoints = [
      { name: "b", state: { ready: "READY" }, task: "llm/v1/chat" },
      { name: "a" },
      { name: "completions", task: "llm/v1/completions" },
      { name: "starting", state: { ready: "NOT_READY" } },
      { name: "embeddings", task: "llm/v1/embeddings" },
      { name: 5 },
      null,
    ];
    expect(idsOf(servingEndpoints, { endpoints })).toEqual(["b", "a", "completions"]);
    expect(servingEndpoints.path(none)).toBe("/api/2.0/serving-endpoints");
  });

  it("may have nothing, but must say so", () => {
    expect(idsOf(servingEndpoints, { endpoints: [] })).toEqual([]);
    for (const body of ["{}", '{"endpoints":{}}', "[]", "nonsense"])
      expect(isLeft(servingEndpoints.parse(body))).toBe(true);
    expect(servingEndpoints.parse("{}")).toMatchObject({ left: expect.stringContaining("'endpoints'") as string });
  });
});

describe("the AI gateway", () => {
  it("lists names in the order of the page, and names the next one", () => {
    const body = { endpoints: [{ name: "b" }, { name: "a" }], next_page_token: "t/1" };
    expect(gatewayEndpoints.parse(JSON.stringify(body))).toEqual(
      right({ models: [listed("b"), listed("a")], next: some("t/1") }),
    );
    expect(gatewayEndpoints.path(none)).toBe("/api/ai-gateway/v2/endpoints?page_size=100");
    expect(gatewayEndpoints.path(some("a b/+!'()*~-._"))).toMatch(/&page_token=a%20b%2F%2B%21%27%28%29%2A~-\._$/);
  });

  it.each([[""], [undefined], [null], [7]])("has no page after one whose token is %o", (next_page_token) => {
    expect(gatewayEndpoints.parse(JSON.stringify({ endpoints: [], next_page_token }))).toMatchObject({
      right: { next: none },
    });
  });

  it("must have its array on every page", () => {
    expect(gatewayEndpoints.parse('{"next_page_token":"x"}')).toMatchObject({
      left: expect.stringContaining("'endpoints'") as string,
    });
  });

  it("leaves embedding models out by whole segments, and keeps what it does not know", () => {
    const names = ["databricks-bge-large", "gte-x", "my-Embedding-2", "bgenius", "gtero", "image-1", "novel"];
    expect(idsOf(gatewayEndpoints, { endpoints: names.map((name) => ({ name })) })).toEqual([
      "bgenius",
      "gtero",
      "image-1",
      "novel",
    ]);
  });

  it("takes the time of making as a number or as its text, and anything else as unknown", () => {
    const times = [5, "6", " 7 ", "soon", 1.5, null, undefined, {}];
    const endpoints = times.map((created_timestamp, index) => ({ name: `m${index}`, created_timestamp }));
    expect(gatewayEndpoints.parse(JSON.stringify({ endpoints }))).toMatchObject({
      right: { models: [some(5), some(6), some(7), none, none, none, none, none].map((createdMs) => ({ createdMs })) },
    });
  });
});

describe("Unity Catalog", () => {
  it("lists services that speak Chat, by their name without its kind", () => {
    const model_services = [
      { name: "model-services/c.s.one" },
      { name: "model-services/c.s.two", supported_api_types: [] },
      { name: "model-services/c.s.three", supported_api_types: ["mlflow/v1/chat/completions", "x"] },
      { name: "model-services/c.s.four", supported_api_types: ["mlflow/v1/embeddings"] },
      { name: "other/c.s.five" },
    ];
    expect(idsOf(modelServices, { model_services })).toEqual(["c.s.one", "c.s.two", "c.s.three"]);
    expect(modelServices.path(none)).toBe("/api/2.1/unity-catalog/model-services?page_size=100&view=FULL");
  });
});

describe("the catalogue", () => {
  const ids = (...args: Parameters<typeof gatewayCatalog>): readonly string[] =>
    gatewayCatalog(...args).map(({ id }) => id);

  it("has the newest endpoints first, ties and the undated by name, services behind, each id once", () => {
    const endpoints = [listed("z"), listed("old", 1), listed("b", 5), listed("a", 5), listed("y"), listed("new", 9)];
    expect(ids(endpoints, [listed("d.e.f"), listed("new"), listed("a.b.c")], [])).toEqual([
      "new",
      "a",
      "b",
      "old",
      "y",
      "z",
      "a.b.c",
      "d.e.f",
    ]);
  });

  it("is the default one, and says so, when nothing is listed and nothing was filtered", () => {
    expect(gatewayCatalog([], [], [])).toEqual([
      { id: "databricks-gpt-5-5", name: "databricks-gpt-5-5 (default catalog)" },
      { id: "databricks-claude-opus-4-7", name: "databricks-claude-opus-4-7 (default catalog)" },
    ]);
    expect(gatewayCatalog([], [], ["x*"])).toEqual([]);
    expect(gatewayCatalog([listed("a")], [], ["x*"])).toEqual([]);
  });

  it.each([
    ["gpt-*", ["gpt-5", "gpt-"]],
    ["gpt-?", ["gpt-5"]],
    ["*.b.*", ["a.b.c"]],
    ["a.b.c", ["a.b.c"]],
    ["GPT-*", []],
    ["[a-z]*", ["[a-z]x"]],
    ["?", ["😀"]],
  ])("filtered by %s keeps %o", (pattern, expected) => {
    const all = ["gpt-5", "gpt-", "a.b.c", "axbxc", "[a-z]x", "😀"];
    expect(filtered(all, [pattern])).toEqual(expected);
    expect(filtered(all, [])).toEqual(all);
    expect(filtered(all, ["nothing", pattern])).toEqual(expected);
  });
});
