import { describe, expect, test } from "vitest";
import { readFullTextTable } from "../../../src/shell/memory/stores/fullTextTable.js";

const read = (body: string) => readFullTextTable("t", `CREATE VIRTUAL TABLE t USING fts5(${body})`);

describe("a full-text table", () => {
  test.each([
    ["body", ["body"]],
    ["title, body", ["title", "body"]],
    ["title, body, updated_at UNINDEXED", ["title", "body"]],
    [`"a title", [b c], 'd', \`e\``, ["a title", "b c", "d", "e"]],
    [`"a ""quoted"", title"`, ['a "quoted", title']],
    [`body, tokenize = "porter unicode61 separators ',;'", prefix='2 3'`, ["body"]],
    [`body, tokenize='unicode61 tokenchars "=,"', columnsize=0`, ["body"]],
    ["\n  title ,\n  body\n", ["title", "body"]],
  ])("declared as %s is searched by its columns", (body, columns) => {
    expect(read(body)).toEqual({ name: "t", columns, content: { kind: "own" } });
  });

  test("tells where its rows are kept", () => {
    expect(read("body, content='notes', content_rowid='key'")?.content).toEqual({
      kind: "external",
      table: "notes",
      rowId: "key",
    });
    expect(read('body, content="my notes"')?.content).toEqual({ kind: "external", table: "my notes", rowId: "rowid" });
    expect(read("body, content=notes")?.content).toEqual({ kind: "external", table: "notes", rowId: "rowid" });
    expect(read("body, content='', contentless_delete=1")?.content).toEqual({ kind: "none" });
  });

  test("is FTS5, in any case, and nothing else", () => {
    expect(readFullTextTable("t", "create virtual table if not exists t using FTS5 (a);")?.columns).toEqual(["a"]);
    expect(readFullTextTable("t", "CREATE VIRTUAL TABLE t USING fts4(a)")).toBeUndefined();
    expect(readFullTextTable("t", "CREATE VIRTUAL TABLE t USING rtree(id, a, b)")).toBeUndefined();
  });
});
