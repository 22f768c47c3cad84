/** What the strictest provider of each kind demands of a catalogue. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { Offered } from "../../src/shell/ports.js";

const AT_THE_TOP_REFUSED = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"];

export const expectAcceptable = ({ tools }: Offered): void => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { name, description, schema } of tools) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(Buffer.byteLength(description)).toBeLessThanOrEqual(8192);
    expect(Buffer.byteLength(schema)).toBeLessThanOrEqual(32 * 1024);
    const parsed = JSON.parse(schema);
    expect(parsed).toMatchObject({ type: "object", properties: expect.any(Object) });
    expect(Object.keys(parsed).filter((keyword) => AT_THE_TOP_REFUSED.includes(keyword))).toEqual([]);
    // A fresh reader for each: `$id`s of different tools may be the same.
    expect(new Ajv2020({ strict: false, logger: false, validateFormats: false }).compile(parsed)).toBeTypeOf(
      "function",
    );
  }
};
