import { describe, expect, test } from "vitest";
import { parseDate, recordDate } from "../../../src/shell/memory/stores/dates.js";
import { readNote } from "../../../src/shell/memory/stores/note.js";

const at = Date.parse("2026-03-01T00:00:00Z");
const note = (file: string) => readNote("Shed", file, at, 1000);

describe("a note", () => {
  test("is said with its name, unless it has a heading of its own", () => {
    expect(note("Blue.\n")).toEqual({ content: "Shed\nBlue.", at });
    expect(note("# The shed\n\nBlue.").content).toBe("# The shed\n\nBlue.");
    expect(note("").content).toBe("Shed");
  });

  test("is as old as its front matter says, which is not part of it", () => {
    const dated = note('---\ntitle: x\ncreated: 2026-01-01\nupdated: "2026-02-03"\ntags:\n  - a\n---\nBlue.');
    expect(dated).toEqual({ content: "Shed\nBlue.", at: Date.parse("2026-02-03T00:00:00Z") });
  });

  test("with a date that is none is as old as its file", () => {
    expect(note("---\ndate: yesterday\n---\nBlue.").at).toBe(at);
  });

  test("with a ruler in it, or front matter without an end, is read whole", () => {
    expect(note("a\n---\nb\n---\nc").content).toBe("Shed\na\n---\nb\n---\nc");
    expect(note("---\ndate: 2026-01-01\nBlue.").content).toContain("date: 2026-01-01");
  });

  test("may come from Windows", () => {
    expect(note("\uFEFF---\r\ndate: 2026-02-03\r\n---\r\nBlue.\r\n")).toEqual({
      content: "Shed\nBlue.",
      at: Date.parse("2026-02-03T00:00:00Z"),
    });
  });

  test("is cut when it is too long", () => {
    expect(readNote("n", "x".repeat(2000), at, 1000).content).toMatch(/^n\nx+\n\[the rest is left out\]$/);
  });
});

describe("a date", () => {
  test.each([
    ["2026-02-03", "2026-02-03T00:00:00Z"],
    ["2026-02-03 04:05:06", "2026-02-03T04:05:06Z"],
    ["2026-02-03T04:05:06.789Z", "2026-02-03T04:05:06.789Z"],
    ["2026-02-03T04:05+02:00", "2026-02-03T02:05:00Z"],
    ["1770091506", "2026-02-03T04:05:06Z"],
    [1_770_091_506, "2026-02-03T04:05:06Z"],
    [1_770_091_506_000, "2026-02-03T04:05:06Z"],
    [1_770_091_506n, "2026-02-03T04:05:06Z"],
  ])("%s is understood", (value, expected) => {
    expect(parseDate(value)).toBe(Date.parse(expected));
  });

  test.each(["", "tuesday", "2026-13-45", "12", "2026", Number.NaN, Infinity, null, undefined, {}])(
    "%s is none",
    (value) => {
      expect(parseDate(value)).toBeUndefined();
    },
  );

  test("of the last change wins over that of the making, however they are spelt and ordered", () => {
    const record = { Created_At: "2026-01-01", note: "2026-09-09", updatedAt: "2026-02-02", mtime: "no date" };
    expect(recordDate(record)).toBe(Date.parse("2026-02-02T00:00:00Z"));
    expect(recordDate({ note: "2026-09-09" })).toBeUndefined();
  });
});
