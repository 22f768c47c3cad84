/** The blocks of a prompt or a steer as the text that the model reads. */
import { type Either, isLeft, left, map, right } from "fp-ts/lib/Either.js";
import { member, type Json } from "../../core/json.js";
import { oneLine, wellFormed } from "../../core/text.js";
import { optionalArray } from "./params.js";

/** One text for each block, or the fault. Well-formed from here on. */
export const promptBlocks = (params: Json): Either<string, readonly string[]> => {
  const blocks = optionalArray(params, "prompt");
  if (isLeft(blocks)) return blocks;
  const texts: string[] = [];
  for (const block of blocks.right) {
    const text = blockText(block);
    if (isLeft(text)) return text;
    texts.push(wellFormed(text.right));
  }
  return right(texts);
};

export const joinBlocks = (blocks: readonly string[]): string => blocks.join("\n");

const blockText = (block: Json): Either<string, string> => {
  const type = member(block, "type");
  if (typeof type !== "string") return left("a content block needs a type");
  if (type === "text") return stringMember(block, "text", type);
  if (type === "resource") return resourceText(member(block, "resource"));
  if (type !== "resource_link") return left(`unsupported content block: ${oneLine(type, 64)}`);
  return map((uri: string) => `[resource: ${uri}]`)(stringMember(block, "uri", type));
};

const resourceText = (resource: Json | undefined): Either<string, string> => {
  const uri = stringMember(resource, "uri", "resource");
  if (isLeft(uri)) return uri;
  const text = member(resource, "text");
  return typeof text === "string"
    ? right(`[resource: ${uri.right}]\n${text}\n[end of resource: ${uri.right}]`)
    : left("unsupported content block: resource without text");
};

const stringMember = (block: Json | undefined, name: string, type: string): Either<string, string> => {
  const value = member(block, name);
  return typeof value === "string" ? right(value) : left(`a content block of type ${type} needs a string ${name}`);
};
