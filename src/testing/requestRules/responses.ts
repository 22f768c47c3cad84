/** The published rules of the Responses dialect, as far as a request of ours could break them. */
import { type Json, member } from "../../core/json.js";
import {
  type Fault,
  isArgumentsString,
  isBlankText,
  isToolName,
  judge,
  judgeNames,
  list,
  type Report,
  text,
} from "./reader.js";

export const responsesFaults = (body: string): readonly Fault[] =>
  judge(body, (value, report) => {
    if (text(value, "model") === "") report("model: missing");
    const tools = list(member(value, "tools"));
    judgeNames(
      tools.map((tool) => text(tool, "name")),
      report,
    );
    tools.forEach((tool, index) => {
      if (text(tool, "type") !== "function" || member(tool, "function") !== undefined)
        report(`tools.${index}: not flat`);
    });
    for (const name of ["messages", "max_tokens", "max_completion_tokens"]) {
      if (member(value, name) !== undefined) report(`${name}: of another dialect`);
    }
    judgeInput(list(member(value, "input")), report);
  });

const isSaid = (item: Json | undefined): boolean =>
  text(item ?? null, "type") === "function_call" || text(item ?? null, "role") === "assistant";

const judgeInput = (input: readonly Json[], report: Report): void => {
  if (input.length === 0) report("input: empty");
  const seen = new Set<string>();
  const open: string[] = [];
  input.forEach((item, index) => {
    const where = `input.${index}`;
    const type = text(item, "type");
    if (type === "function_call") {
      const id = judgeCall(item, where, report);
      if (seen.has(id)) report(`${where}: call_id ${id} stands twice`);
      seen.add(id);
      open.push(id);
      return;
    }
    if (type === "function_call_output") {
      if (open.shift() !== text(item, "call_id")) report(`${where}: output without its call`);
      if (isBlankText(member(item, "output"))) report(`${where}: blank output`);
      return;
    }
    if (type === "reasoning") {
      // It must be followed by what it led to.
      const next = input.slice(index + 1).find((later) => text(later, "type") !== "reasoning");
      if (!isSaid(next)) report(`${where}: reasoning without what follows from it`);
      return;
    }
    judgeMessage(item, where, report);
    const images = list(member(item, "content")).every((part) => text(part, "type") === "input_image");
    if (open.length > 0 && !(text(item, "role") === "user" && images)) report(`${where}: calls ${open.join()} open`);
  });
  if (open.length > 0) report(`input: calls ${open.join()} are not answered`);
};

const judgeCall = (item: Json, where: string, report: Report): string => {
  const id = text(item, "call_id");
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) report(`${where}: call_id`);
  if (!isToolName(text(item, "name"))) report(`${where}: illegal name`);
  if (!isArgumentsString(member(item, "arguments"))) report(`${where}: arguments`);
  return id;
};

const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ["input_text", "input_image"],
  assistant: ["output_text"],
};

const judgeMessage = (item: Json, where: string, report: Report): void => {
  const parts = list(member(item, "content"));
  const allowed = PARTS[text(item, "role")];
  if (allowed === undefined) report(`${where}: role ${text(item, "role")}`);
  if (parts.length === 0) report(`${where}: no content`);
  for (const part of parts) {
    const type = text(part, "type");
    if (allowed?.includes(type) !== true) report(`${where}: part ${type}`);
    if (type !== "input_image" && isBlankText(member(part, "text"))) report(`${where}: blank text`);
    if (type === "input_image" && !text(part, "image_url").startsWith("data:image/")) report(`${where}: image`);
  }
};
