/** Reading `tools/list`: page by page, bounded, and each tool judged alone, so that a bad one costs itself only (F76c). */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { isJsonArray, isJsonObject, type Json, member } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import { clampText, oneLine } from "../../core/text.js";
import type { McpClient } from "./client.js";
import { schemaText } from "./schema.js";

/** A tool as its server names it, everything about it already acceptable to a provider. */
export interface ListedTool {
  readonly bare: string;
  readonly description: string;
  /** JSON text of an object schema. */
  readonly schema: string;
  readonly readOnly: boolean;
}

export interface Listing {
  readonly tools: readonly ListedTool[];
  /** What was left out or changed and why, a line each. */
  readonly remarks: readonly string[];
}

const METHOD_NOT_FOUND = -32601;
const NAME_SHOWN_BYTES = 128;

export const listTools = async (
  client: McpClient,
  limits: ShellLimits,
  signal: AbortSignal,
): Promise<Either<string, Listing>> => {
  const reading = newReading(limits);
  let cursor: string | undefined;
  for (let page = 1; page <= limits.maxMcpPages; page += 1) {
    const answer = await client.request("tools/list", cursor === undefined ? {} : { cursor }, signal);
    // A server without tools may well have hooks of another kind, or nothing at all; that is no failure.
    if (answer.kind === "rejected" && answer.code === METHOD_NOT_FOUND) return right(reading.done());
    if (answer.kind !== "result") return left(`tools/list: ${answer.message}`);
    const next = member(answer.result, "nextCursor");
    if (reading.take(member(answer.result, "tools")) === "full" || typeof next !== "string")
      return right(reading.done());
    cursor = next;
  }
  reading.remark(`the listing did not end within ${limits.maxMcpPages} pages; the rest was not read`);
  return right(reading.done());
};

interface Reading {
  readonly take: (tools: Json | undefined) => "full" | "more";
  readonly remark: (line: string) => void;
  readonly done: () => Listing;
}

const newReading = (limits: ShellLimits): Reading => {
  const tools = new Map<string, ListedTool>();
  const remarks: string[] = [];
  const remark = (line: string): void => {
    remarks.push(line);
  };
  const takeOne = (value: Json): void => {
    const tool = readTool(value, limits);
    if (isLeft(tool)) return remark(tool.left);
    const { listed, remark: about } = tool.right;
    const shown = oneLine(listed.bare, NAME_SHOWN_BYTES);
    if (tools.has(listed.bare)) return remark(`${shown}: listed twice; the first one counts`);
    tools.set(listed.bare, listed);
    if (about !== undefined) remark(`${shown}: ${about}`);
  };
  const take = (listed: Json | undefined): "full" | "more" => {
    if (!isJsonArray(listed)) {
      remark("a page without a list of tools");
      return "more";
    }
    for (const value of listed) {
      if (tools.size >= limits.maxListedTools) {
        remark(`more than ${limits.maxListedTools} tools; the rest was not read`);
        return "full";
      }
      takeOne(value);
    }
    return "more";
  };
  return { take, remark, done: () => ({ tools: [...tools.values()], remarks }) };
};

interface Judged {
  readonly listed: ListedTool;
  readonly remark: string | undefined;
}

const readTool = (value: Json, limits: ShellLimits): Either<string, Judged> => {
  const bare = member(value, "name");
  if (!isJsonObject(value) || typeof bare !== "string" || bare === "")
    return left("a tool without a name was left out");
  const schema = schemaText(member(value, "inputSchema"), limits.toolSchemaBytesMax);
  return right({
    listed: {
      bare,
      description: clampText(describe(value), limits.toolDescriptionBytesMax, "\n[truncated]"),
      schema: schema.text,
      readOnly: member(member(value, "annotations"), "readOnlyHint") === true,
    },
    remark: schema.replaced
      ? `its schema is over ${limits.toolSchemaBytesMax} bytes and was replaced by an open one`
      : undefined,
  });
};

const describe = (tool: Json): string => {
  const [description, title] = [member(tool, "description"), member(tool, "title")];
  return typeof description === "string" && description !== "" ? description : typeof title === "string" ? title : "";
};
