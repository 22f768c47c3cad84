import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/core/text.js";
import { postText } from "../../../src/shell/memory/buzz/postText.js";

/** The CLI's rule: an `@` at the start or behind ASCII white space begins a mention. */
const mentions = (text: string): boolean => /(?:^|[ \t\n\v\f\r])@\S/.test(text);

describe("what is posted", () => {
  test("mentions nobody, and reads as it did", () => {
    for (const text of ["@a", "x @a y", "x\n@a", "\t@a @b\r\n@c", "@@a", " @ @a"]) {
      const posted = postText(text, 1000);
      expect(mentions(posted)).toBe(false);
      expect(posted.replaceAll("\u2060", "")).toBe(text);
    }
  });

  test("names no Nostr address that would notify", () => {
    expect(postText("ask nostr:npub1abc or NOSTR:nprofile1x", 1000)).not.toMatch(/nostr:n(?:pub|profile)/i);
  });

  test("leaves addresses and what else holds an @ alone", () => {
    const text = 'mail a@b.example; "@Recall Bot"; nostr:note1x';
    expect(postText(text, 1000)).toBe(text);
  });

  test("is cut between characters to what the CLI takes, and says so", () => {
    const posted = postText("😀".repeat(20_000), 65_535);
    expect(utf8Bytes(posted)).toBeLessThanOrEqual(65_535);
    expect(posted).toMatch(/^(?:😀)+\n\[the rest is left out\]$/u);
    expect(utf8Bytes(postText("@".repeat(3) + " @".repeat(40_000), 65_535))).toBeLessThanOrEqual(65_535);
  });
});
