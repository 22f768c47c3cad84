import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type Json, isJsonObject, parseJson, stringifyJson } from "../../../src/core/json.js";
import { normaliseSchema, schemaText } from "../../../src/shell/mcp/schema.js";
import { fc, runs } from "./fastCheck.js";

const options = { strict: false, validateFormats: false, logger: false, validateSchema: false } as const;
const readers = [new Ajv({ ...options, addUsedSchema: false }), new Ajv2020({ ...options, addUsedSchema: false })];

/** Undefined where the judge itself fails: it stumbles over `const` with a member called `__proto__`. */
type Judge = (value: unknown) => boolean | undefined;

const careful =
  (judge: (value: unknown) => unknown): Judge =>
  (value) => {
    try {
      return judge(value) === true;
    } catch {
      return undefined;
    }
  };

/** Judges that others wrote, for both readings of `$ref` with siblings; without those that cannot read the schema either. */
const judges = (schema: Json): readonly Judge[] =>
  readers.flatMap((reader) => {
    try {
      return [careful(reader.compile(schema as object))];
    } catch {
      return [];
    }
  });

const key = fc.constantFrom("a", "b", "c", "__proto__", "a/b~c");
const word = fc.constantFrom("x", "y", "");
const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, false, 0, 1, -1.5, "x", "y", ""),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const type = fc.constantFrom<Json>("object", "array", "string", "number", "integer", "boolean", "null");
const count = fc.integer({ min: 0, max: 3 });
const pointer = fc.constantFrom(
  "#",
  "#/$defs/a",
  "#/$defs/b",
  "#/properties/a",
  "#/definitions/c",
  "#/nowhere",
  "#/$defs/a~1b~0c",
  "other.json",
);

/** Schemas as servers write them, and as nobody should: few keywords at a time, nested no deeper than `depth`. */
const schema = (depth: number): fc.Arbitrary<Json> => {
  const node: fc.Arbitrary<Json> =
    depth === 0 ? fc.oneof(fc.boolean(), anything) : fc.oneof(inner(depth - 1), anything);
  const nodes = fc.array(node, { maxLength: 3 });
  const named = fc.dictionary(key, node, { maxKeys: 3 });
  const keywords: Readonly<Record<string, fc.Arbitrary<Json>>> = {
    type: fc.oneof(type, fc.array(type, { maxLength: 3 }), fc.constantFrom<Json>(null, "any", 7)),
    $ref: pointer,
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "b$", "."), node, { maxKeys: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), node),
    required: fc.array(key, { maxLength: 2 }),
    propertyNames: node,
    minProperties: count,
    maxProperties: count,
    items: fc.oneof(node, nodes),
    prefixItems: fc.array(node, { minLength: 1, maxLength: 2 }),
    contains: node,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    enum: fc.array(anything, { minLength: 1, maxLength: 3 }),
    const: anything,
    minLength: count,
    pattern: fc.constantFrom("^x", "y$", "("),
    minimum: fc.integer({ min: -2, max: 2 }),
    exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer({ min: -2, max: 2 })),
    anyOf: nodes,
    oneOf: nodes,
    allOf: nodes,
    not: node,
    if: node,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: node,
    else: node,
    dependentRequired: fc.dictionary(key, fc.array(key, { maxLength: 1 }), { maxKeys: 1 }),
    $defs: named,
    definitions: named,
    description: word,
    default: anything,
    nullable: fc.boolean(),
    format: word,
  };
  const some = (names: readonly string[]): fc.Arbitrary<Json> =>
    fc
      .subarray([...names], { maxLength: Math.min(5, names.length) })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((each) => [each, keywords[each] ?? node]))));
  // Keywords that act on one another are often met together.
  const ofObjects = ["properties", "patternProperties", "additionalProperties", "required"];
  const ofArrays = ["prefixItems", "items", "minItems"];
  const ofChoices = ["anyOf", "oneOf", "allOf", ...ofObjects];
  return fc.oneof(some(Object.keys(keywords)), some(ofObjects), some(ofArrays), some(ofChoices));
};
const inner = (depth: number): fc.Arbitrary<Json> => fc.oneof(fc.boolean(), schema(depth), schema(depth));

const SCHEMA = schema(3);

const objects = fc.array(fc.dictionary(key, anything, { maxKeys: 4 }), { minLength: 8, maxLength: 8 });

describe("The schema normaliser", () => {
  test("Takes any JSON and always gives an object schema without combinators and references.", () => {
    fc.assert(
      fc.property(fc.oneof(SCHEMA, anything), (original) => {
        const normal = normaliseSchema(original);
        expect(normal["type"]).toBe("object");
        expect(isJsonObject(normal["properties"])).toBe(true);
        expect(Object.keys(normal)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^(?:anyOf|oneOf|allOf|not|enum|const|\$.*)$/)]),
        );
        expect(stringifyJson(normal)).not.toMatch(/"\$ref":|"oneOf":|"not":/);
      }),
      runs,
    );
  });

  test("Changes nothing the second time.", () => {
    fc.assert(
      fc.property(SCHEMA, (original) => {
        const once = normaliseSchema(original);
        expect(stringifyJson(normaliseSchema(once))).toBe(stringifyJson(once));
      }),
      runs,
    );
  });

  // Kills: `oneOf` kept while its branches are loosened, closed objects whose patterns are dropped, branches that do not mention
  // a member, `not` loosened, `type: object` added to nested schemas that only speak of objects, tuples read as lists.
  test("Accepts every object that the original accepts, as another implementation judges both.", () => {
    let judged = 0;
    let accepted = 0;
    fc.assert(
      fc.property(SCHEMA, objects, (original, values) => {
        const after = judges(normaliseSchema(original));
        expect(after.length).toBe(2);
        for (const before of judges(original)) {
          judged += 1;
          for (const value of values) {
            if (before(value) !== true) continue;
            accepted += 1;
            expect(after.map((judge) => judge(value))).not.toContain(false);
          }
        }
      }),
      { ...runs, numRuns: 800 },
    );
    // The property says something only while both happen often.
    expect(judged).toBeGreaterThan(400);
    expect(accepted).toBeGreaterThan(1000);
  }, 60_000);
});

const normal = (text: string): unknown => {
  const parsed = parseJson(text);
  return JSON.parse(schemaText(parsed._tag === "Right" ? parsed.right : null, 32 * 1024).text);
};

describe("Schemas of real servers", () => {
  test.each([
    ["nothing", "null", { type: "object", properties: {} }],
    ["no type", '{"properties":{"a":{"type":"string"}}}', { type: "object", properties: { a: { type: "string" } } }],
    ["a type of its own making", '{"type":null}', { type: "object", properties: {} }],
    [
      "a choice at the top (F76a)",
      '{"oneOf":[{"properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false},{"properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}]}',
      {
        type: "object",
        description: "Needed are: id; or: name.",
        properties: { id: { type: "string" }, name: { type: "string" } },
        additionalProperties: false,
      },
    ],
    [
      "parts that all count (F76a)",
      '{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"number"}},"required":["b"]}]}',
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a", "b"] },
    ],
    [
      "references, one of them in a circle (F76b)",
      '{"type":"object","properties":{"n":{"$ref":"#/$defs/n","description":"a tree"}},"$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/n"}}}}}',
      {
        type: "object",
        properties: {
          n: { type: "object", properties: { v: { type: "integer" }, next: {} }, description: "a tree" },
        },
      },
    ],
    [
      "a list without items (F76b)",
      '{"properties":{"l":{"type":"array"},"t":{"type":"array","items":[{"type":"string"}]}}}',
      { type: "object", properties: { l: { type: "array", items: {} }, t: { type: "array", items: {} } } },
    ],
    [
      "properties of what is no object (F76b)",
      '{"properties":{"s":{"type":"string","properties":{"a":{}},"required":["a"]}}}',
      { type: "object", properties: { s: { type: "string" } } },
    ],
  ])("%s", (_, original, expected) => {
    expect(normal(original)).toEqual(expected);
  });

  test("Integers beyond 2^53 stay exact.", () => {
    const { text } = schemaText({ properties: { n: { maximum: 18446744073709551615n } } }, 32 * 1024);
    expect(text).toContain('"maximum":18446744073709551615');
  });

  test("What is over the limit becomes an open schema and says so.", () => {
    const long = { properties: { a: { description: "x".repeat(40_000) } } };
    expect(schemaText(long, 32 * 1024)).toEqual({ text: '{"type":"object","properties":{}}', replaced: true });
  });

  // softeria/ms-365-mcp-server: definitions of hundreds of kilobytes behind a handful of arguments.
  test("Long definitions behind references do not cost what is said about the arguments.", () => {
    const { text, replaced } = schemaText(
      {
        properties: { to: { type: "string" }, body: { $ref: "#/$defs/b" } },
        $defs: { b: { description: "b".repeat(40_000) } },
      },
      32 * 1024,
    );
    expect([JSON.parse(text), replaced]).toEqual([
      { type: "object", properties: { to: { type: "string" }, body: {} } },
      false,
    ]);
  });

  // Each definition names the next one ten times: written out, ten to the thirtieth nodes.
  test("A schema that doubles itself ends at once, and so does one of a depth that no stack bears.", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        { properties: Object.fromEntries("abcdefghij".split("").map((each) => [each, { $ref: `#/$defs/d${n + 1}` }])) },
      ]),
    );
    const at = performance.now();
    schemaText({ $ref: "#/$defs/d0", $defs }, 32 * 1024);
    const huge = {
      properties: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`p${n}`, { $ref: "#/$defs/e" }])),
    };
    schemaText({ ...huge, $defs: { e: { enum: ["y".repeat(1_000_000)] } } }, 32 * 1024);
    const deep = parseJson(`${'{"properties":{"a":'.repeat(20_000)}{}${"}}".repeat(20_000)}`);
    expect(deep._tag).toBe("Right");
    if (deep._tag === "Right") schemaText(deep.right, 32 * 1024);
    expect(performance.now() - at).toBeLessThan(2000);
  });
});
