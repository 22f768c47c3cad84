/** A request's body in pieces. Members that change from request to request stand in front, the growing list stands last. */
import type { Tool } from "../core/model.js";
import { array, object } from "./jsonText.js";

/** `{ …members, "<list>": [ …elements ] }`, each element a piece of its own. */
export const bodyOf = (
  members: Readonly<Record<string, string>>,
  list: string,
  elements: readonly string[],
): readonly string[] => {
  const head = object(members).slice(0, -1);
  const pieces = [`${head}${head === "{" ? "" : ","}"${list}":[`];
  elements.forEach((element, index) => {
    if (index > 0) pieces.push(",");
    pieces.push(element);
  });
  pieces.push("]}");
  return pieces;
};

/** Definitions of tools as a JSON array, or "" when there are none. A list of tools lives as long as its catalogue. */
export const toolsEncoder = (encode: (tool: Tool) => string): ((tools: readonly Tool[]) => string) => {
  const memo = new WeakMap<readonly Tool[], string>();
  return (tools) => {
    if (tools.length === 0) return "";
    const text = memo.get(tools) ?? array(tools.map(encode));
    memo.set(tools, text);
    return text;
  };
};
