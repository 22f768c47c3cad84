import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { describe, expect, it } from "vitest";
import {
  isJson,
  type Json,
  member,
  parseJson,
  parsePlainly,
  stringifyJson,
  withoutLoneSurrogates,
} from "../../../src/core/json.js";
import {
  arrayOf,
  elementsOf,
  membersOf,
  objectWith,
  type Part,
  rawElements,
  rawMembers,
  type Shape,
  takeApart,
} from "../../../src/core/rawJson.js";
import { makeDocument, mutate, seeded, slowParse } from "./slowJson.js";

const seed = Number(process.env["TURNFOLD_SEED"] ?? 20260901);

/** Equal in every bit: bigint and number are told apart, so are 0 and -0, and so is the order of keys. */
const same = (a: Json, b: Json): boolean => {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return Object.is(a, b);
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === right.length &&
    left.every(([key, value], index) => key === right[index]?.[0] && same(value, right[index][1]))
  );
};

const parsed = (text: string): Json => {
  const result = parseJson(text);
  if (isLeft(result)) throw new Error(`${result.left}: ${text}`);
  return result.right;
};

const readExactly = (text: string): boolean => {
  const value = parsed(text);
  // What JSON has no text for (infinity, -0, a lone surrogate) changes once, and then never again.
  const once = parsed(stringifyJson(value));
  return same(value, slowParse(text)) && same(parsed(stringifyJson(once)), once);
};

/** A part is a piece of the text, so all parts together are no longer than it. */
const partsFit = (text: string): boolean =>
  [...rawMembers(text).values(), ...rawElements(text)].join("").length <= text.length;

/** The first of `count` texts that fails, with what is needed to make it again. */
const firstFailure = (
  count: number,
  make: (random: () => number) => string,
  holds: (text: string) => boolean,
): string => {
  const random = seeded(seed);
  for (let run = 0; run < count; run += 1) {
    const text = make(random);
    if (!holds(text)) return `seed ${seed}, run ${run}: ${text}`;
  }
  return "none";
};

/** Of the names that `makeDocument` gives. */
const makeShape = (random: () => number, depth: number): Shape => {
  const kind = Math.floor(random() * (depth === 0 ? 1 : 3));
  if (kind === 0) return { kind: "whole" };
  if (kind === 1) return arrayOf(makeShape(random, depth - 1));
  const names = ["a", "1", "__proto__", "constructor", ""].filter(() => random() < 0.5);
  return objectWith(Object.fromEntries(names.map((name) => [name, makeShape(random, depth - 1)])));
};

const accepted = (parse: (text: string) => unknown, text: string): boolean => {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("parseJson", () => {
  it("equals a slow exact reader on 70,000 documents, and its text reads back as the same value", () => {
    expect(firstFailure(70_000, (random) => makeDocument(random), readExactly)).toBe("none");
  }, 60_000);

  it("accepts exactly what JSON.parse accepts, on 30,000 damaged documents", () => {
    const verdicts = { accepted: 0, refused: 0 };
    const holds = (text: string): boolean => {
      const valid = accepted(JSON.parse, text);
      verdicts[valid ? "accepted" : "refused"] += 1;
      return (
        isRight(parseJson(text)) === valid && isJson(text) === valid && (!valid || same(parsed(text), slowParse(text)))
      );
    };
    expect(firstFailure(30_000, (random) => mutate(random, makeDocument(random, 2)), holds)).toBe("none");
    expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(1000);
  }, 60_000);

  it("refuses an unsafe integer where a key belongs, although the string it would become is one", () => {
    expect(isLeft(parseJson("{12345678901234567890:1}"))).toBe(true);
    expect(isLeft(parseJson("{12345678901234567890 :1}"))).toBe(true);
    expect(isLeft(parseJson("[012345678901234567890]"))).toBe(true);
    expect(isLeft(parseJson("[--12345678901234567890]"))).toBe(true);
  });

  it("keeps keys that belong to prototypes as ordinary members", () => {
    const value = parsed('{"__proto__":18446744073709551615,"constructor":{"__proto__":[9007199254740993]}}');
    expect(member(value, "__proto__")).toBe(18446744073709551615n);
    expect(member(member(value, "constructor"), "__proto__")).toEqual([9007199254740993n]);
    expect(member({}, "constructor")).toBeUndefined();
    expect(stringifyJson(value)).toBe(
      '{"__proto__":18446744073709551615,"constructor":{"__proto__":[9007199254740993]}}',
    );
  });

  it("reads and writes nesting that is deeper than the stack", () => {
    const depth = 200_000;
    const text = `${"[".repeat(depth)}18446744073709551615${"]".repeat(depth)}`;
    expect(stringifyJson(parsed(text))).toBe(text);
    const plain = `${'{"a":['.repeat(depth)}${"]}".repeat(depth)}`;
    expect(stringifyJson(parsed(plain))).toBe(plain);
  });

  it("says in one line what is wrong, in terms of the text as it was", () => {
    const fault = parseJson('{"a":18446744073709551615,}');
    expect(isLeft(fault) && fault.left).toMatch(/JSON/);
    expect(isLeft(fault) && fault.left).not.toContain("\u007f");
    expect(isLeft(parseJson(""))).toBe(true);
  });
});

describe("stringifyJson", () => {
  it("writes what has no literal as null and lone surrogates as U+FFFD, pairs and escaped backslashes as they are", () => {
    expect(stringifyJson([Number.NaN, Number.POSITIVE_INFINITY, -0, 10n ** 30n])).toBe(
      `[null,null,0,1${"0".repeat(30)}]`,
    );
    expect(stringifyJson("\ud83d\ude00 \ud83d \\ud83d")).toBe('"\ud83d\ude00 \\ufffd \\\\ud83d"');
    expect(withoutLoneSurrogates('"\\ud83d\\ude00\\ude00\\\\ud83d\\uDBFFx"')).toBe(
      '"\\ud83d\\ude00\\ufffd\\\\ud83d\\ufffdx"',
    );
  });
});

describe("raw parts", () => {
  it("are the source text of what the parser sees, on 20,000 documents", () => {
    const check = (text: string, value: Json): boolean => {
      if (Array.isArray(value)) {
        const elements = rawElements(text);
        return (
          elements.length === value.length &&
          elements.every((element, index) => text.includes(element) && check(element, value[index] ?? null))
        );
      }
      if (typeof value === "object" && value !== null) {
        const members = rawMembers(text);
        return (
          members.size === Object.keys(value).length &&
          [...members].every(([key, raw]) => text.includes(raw) && check(raw, member(value, key) ?? null))
        );
      }
      return same(slowParse(text), value) && text === text.trim();
    };
    const holds = (text: string): boolean => check(text.trim(), slowParse(text));
    expect(firstFailure(20_000, (random) => makeDocument(random), holds)).toBe("none");
  }, 60_000);

  // Kills: a shape that is taken for what is there, one that reaches the prototype (`constructor`), an end found one too early, and
  // the value of the last of two members of one name given to the first.
  it("are the same, with their values, whatever was opened beforehand, on 20,000 documents", () => {
    const opened = { beforehand: 0, later: 0 };
    const check = (part: Part, value: Json): boolean => {
      const plain: unknown = JSON.parse(part.text);
      if (!same(slowParse(part.text), value) || !same(plain as Json, part.value ?? null)) return false;
      const inside = [...membersOf(part)];
      const elements = elementsOf(part);
      opened[part.kind === "whole" ? "later" : "beforehand"] += inside.length + elements.length;
      if (Array.isArray(value)) {
        return elements.length === value.length && elements.every((each, at) => check(each, value[at] ?? null));
      }
      const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
      return inside.length === names.length && inside.every(([name, each]) => check(each, member(value, name) ?? null));
    };
    const holds = (random: () => number, text: string): boolean =>
      check(takeApart(text, parsePlainly(text), makeShape(random, 4)), slowParse(text));
    const shapes = seeded(seed + 1);
    expect(
      firstFailure(
        20_000,
        (random) => makeDocument(random),
        (text) => holds(shapes, text),
      ),
    ).toBe("none");
    expect(Math.min(opened.beforehand, opened.later)).toBeGreaterThan(3000);
  }, 60_000);

  it("keep what parsing loses: key order, forms of numbers, spaces", () => {
    const members = rawMembers('{ "b" : { "z":1.0 , "1":-0, "a":1e400 } , "\\u0061":[ 1e0,\n2 ] }');
    expect([...members]).toEqual([
      ["b", '{ "z":1.0 , "1":-0, "a":1e400 }'],
      ["a", "[ 1e0,\n2 ]"],
    ]);
    expect(rawElements(members.get("a") ?? "")).toEqual(["1e0", "2"]);
  });

  it("end on any text, JSON or not", () => {
    expect(firstFailure(20_000, (random) => mutate(random, makeDocument(random, 2)), partsFit)).toBe("none");
  }, 60_000);
});
