/** What a `CREATE VIRTUAL TABLE … USING fts5(…)` says about its table. */

export interface FullTextTable {
  readonly name: string;
  /** Columns that are searched; the others only go along. */
  readonly columns: readonly string[];
  /** Where the rows are kept: in the table itself, in another one, or nowhere. */
  readonly content:
    | { readonly kind: "own" }
    | { readonly kind: "external"; readonly table: string; readonly rowId: string }
    | { readonly kind: "none" };
}

const BODY = /\busing\s+fts5\s*\(([\s\S]*)\)\s*;?\s*$/i;
/** Up to the next comma that is not inside quotes, brackets or parentheses. */
const ARGUMENT = /(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|\([^)]*\)|[^,"'`[(])+/g;
const OPTION = /^\s*(\w+)\s*=\s*([\s\S]*?)\s*$/;
const COLUMN = /^\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|\S+)\s*([\s\S]*)$/;

/** A name or a value as it is meant. */
const unquoted = (text: string): string => {
  const quote = text[0] ?? "";
  if (quote === "[") return text.slice(1, -1);
  return `"'\``.includes(quote) && quote !== "" ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
};

/** `name` is the table's; undefined: the SQL makes no FTS5 table. */
export const readFullTextTable = (name: string, sql: string): FullTextTable | undefined => {
  const body = BODY.exec(sql)?.[1];
  if (body === undefined) return undefined;
  const options = new Map<string, string>();
  const columns: string[] = [];
  for (const argument of body.match(ARGUMENT) ?? []) {
    const [, option = "", value = ""] = OPTION.exec(argument) ?? [];
    const [, column = "", rest = ""] = COLUMN.exec(argument) ?? [];
    if (option !== "") options.set(option.toLowerCase(), unquoted(value));
    else if (column !== "" && !/\bunindexed\b/i.test(rest)) columns.push(unquoted(column));
  }
  const table = options.get("content");
  if (table === undefined) return { name, columns, content: { kind: "own" } };
  if (table === "") return { name, columns, content: { kind: "none" } };
  return { name, columns, content: { kind: "external", table, rowId: options.get("content_rowid") ?? "rowid" } };
};

/** As SQL names it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
