/** The oracle of the JSON tests: a reader of RFC 8259 that goes one character at a time, and a seeded maker of documents. */
import type { Json } from "../../../src/core/json.js";

type MutableObject = { [key: string]: Json };

/** Reads a document exactly; throws on anything that is not JSON. */
export const slowParse = (text: string): Json => {
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`fault at ${at}`);
  };
  const space = (): void => {
    while (at < text.length && " \t\r\n".includes(text[at] ?? "x")) at += 1;
  };
  const expect = (token: string): void => {
    if (!text.startsWith(token, at)) fail();
    at += token.length;
  };
  const string = (): string => {
    expect('"');
    let out = "";
    for (;;) {
      const char = text[at] ?? fail();
      at += 1;
      if (char === '"') return out;
      if (char < " ") fail();
      out += char === "\\" ? escape() : char;
    }
  };
  const escape = (): string => {
    const char = text[at] ?? fail();
    at += 1;
    if (char === "u") {
      const hex = text.slice(at, at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) fail();
      at += 4;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const index = '"\\/bfnrt'.indexOf(char);
    return index < 0 ? fail() : ('"\\/\b\f\n\r\t'[index] ?? fail());
  };
  const number = (): Json => {
    const literal = /^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/.exec(text.slice(at)) ?? fail();
    at += literal[0].length;
    const value = Number(literal[0]);
    return literal[1] === undefined && literal[2] === undefined && !Number.isSafeInteger(value)
      ? BigInt(literal[0])
      : value;
  };
  const array = (): Json => {
    const out: Json[] = [];
    expect("[");
    space();
    if (text[at] !== "]") {
      for (;;) {
        out.push(value());
        space();
        if (text[at] !== ",") break;
        at += 1;
      }
    }
    expect("]");
    return out;
  };
  const object = (): Json => {
    const out: MutableObject = {};
    expect("{");
    space();
    if (text[at] !== "}") {
      for (;;) {
        space();
        const key = string();
        space();
        expect(":");
        Object.defineProperty(out, key, { value: value(), enumerable: true, writable: true, configurable: true });
        space();
        if (text[at] !== ",") break;
        at += 1;
      }
    }
    expect("}");
    return out;
  };
  const value = (): Json => {
    space();
    const char = text[at];
    if (char === '"') return string();
    if (char === "[") return array();
    if (char === "{") return object();
    for (const [word, meaning] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    return number();
  };
  const result = value();
  space();
  return at === text.length ? result : fail();
};

/** Numbers in [0, 1) from a seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

// prettier-ignore
const NUMBERS = [
  "0", "-0", "1", "-1", "1.0", "1e3", "1E+400", "-1e-400", "0.1", "5e-324", "1234567890123456", "9007199254740991",
  "9007199254740992", "9007199254740993", "-9007199254740991", "-9007199254740993", "18446744073709551615",
  "18446744073709551616", "12345678901234567890.5", "0.12345678901234567890", "12345678901234567890e2",
  
    "1e12345678901234567890",
    "1e-12345678901234567890",
    "123456789012345678901234567890123456789012345678901234567890",
];
// prettier-ignore
const STRINGS = [
  '""', '"a"', '"18446744073709551615"', '":18446744073709551615,"', '"\u007f18446744073709551615"', '"\\u007f1"',
  '"\\u007F18446744073709551615"', '"\u007f\u007f"', '"\u007f"', '"\\\\"', '"\\""', '"\\\\\\"x"', '"__proto__"',
  
    '"constructor"',
    '"1"',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '"é\u2028"',
    '"\\/\\b\\f\\n\\r\\t"',
    '"{[1234567890123456789"',
];
const SPACES = ["", "", "", " ", "\n", "\t \r\n"];

/** A valid document that is rich in what could go wrong. */
export const makeDocument = (random: () => number, depth = 4): string => {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const space = (): string => pick(SPACES);
  const list = (element: () => string): string => {
    const elements: string[] = [];
    while (random() < 0.7 && elements.length < 5) elements.push(element());
    return elements.join(",");
  };
  const value = (left: number): string => `${space()}${bare(left)}${space()}`;
  const bare = (left: number): string => {
    const kind = left === 0 ? random() * 0.6 : random();
    if (kind < 0.3) return pick(NUMBERS);
    if (kind < 0.55) return pick(STRINGS);
    if (kind < 0.6) return pick(["true", "false", "null"]);
    if (kind < 0.8) return `[${space()}${list(() => value(left - 1))}]`;
    return `{${space()}${list(() => `${space()}${pick(STRINGS)}${space()}:${value(left - 1)}`)}}`;
  };
  return value(depth);
};

/** The same with one to three characters taken out, put in or doubled: mostly no JSON any more. */
export const mutate = (random: () => number, text: string): string => {
  let out = text;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) {
    const at = Math.floor(random() * (out.length + 1));
    const put = '"\\:,{}[]0123456789.eE+- \n\u007f\u0001xn'[Math.floor(random() * 34)] ?? "";
    out = out.slice(0, at) + (random() < 0.6 ? put : "") + out.slice(at + (random() < 0.5 ? 1 : 0));
  }
  return out;
};
