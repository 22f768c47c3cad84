/**
 * Tool results on entry into history: bounded, well-formed, never empty, and with nothing in them that a provider would refuse
 * for ever after (F33, F43, F64). What is kept here is what every later request carries.
 */
import type { ResultPart, ToolResult } from "./history.js";
import type { Policy } from "./policy.js";
import { elideMiddle, isBlank, oneLine, utf8Bytes, wellFormed } from "./text.js";

const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const textPart = (text: string): ResultPart => ({ kind: "text", text });

type Image = Extract<ResultPart, { kind: "image" }>;

/** Why an image cannot be shown, or undefined. */
const imageFault = (image: Image, roomBytes: number, acceptsImages: boolean): string | undefined => {
  if (!acceptsImages) return "the model does not support image input; use a text-based inspection instead";
  if (!IMAGE_TYPES.includes(image.mimeType)) return "only png, jpeg, gif and webp can be shown";
  if (image.dataBase64.length % 4 !== 0 || !BASE64.test(image.dataBase64)) return "its base64 data is damaged";
  return image.dataBase64.length + utf8Bytes(image.mimeType) > roomBytes
    ? "image elided: the result is too large"
    : undefined;
};

const standIn = (image: Image, fault: string, markerFieldBytesMax: number): ResultPart =>
  textPart(
    `[image not shown: ${oneLine(image.mimeType, markerFieldBytesMax)}, ${image.dataBase64.length} base64 bytes; ${fault}]`,
  );

/** Images that cannot be shown become text; the others count against the room for the whole result, in order. */
const withoutBadImages = (
  parts: readonly ResultPart[],
  policy: Policy,
  acceptsImages: boolean,
): readonly ResultPart[] => {
  let room = policy.toolResultBytesMax - policy.toolResultTextBytesMax;
  return parts.map((part) => {
    if (part.kind === "text") return part;
    const fault = imageFault(part, room, acceptsImages);
    if (fault !== undefined) return standIn(part, fault, policy.markerFieldBytesMax);
    room -= part.dataBase64.length + utf8Bytes(part.mimeType);
    return part;
  });
};

const textBytes = (parts: readonly ResultPart[]): number =>
  parts.reduce((total, part) => total + (part.kind === "text" ? utf8Bytes(part.text) : 0), 0);

/** Texts that together do not fit are elided; each has the same share, and what short ones leave over goes to the next. */
const withinTextBudget = (parts: readonly ResultPart[], bytesMax: number): readonly ResultPart[] => {
  if (textBytes(parts) <= bytesMax) return parts;
  let room = bytesMax;
  let left = parts.filter(({ kind }) => kind === "text").length;
  return parts.map((part) => {
    if (part.kind === "image") return part;
    const text = elideMiddle(part.text, Math.floor(room / left), "tool result");
    left -= 1;
    room -= utf8Bytes(text);
    return textPart(text);
  });
};

/** Text that a request can carry, and none that is empty. */
const presentable = (parts: readonly ResultPart[]): readonly ResultPart[] =>
  parts
    .filter((part) => part.kind === "image" || !isBlank(part.text))
    .map((part) => (part.kind === "image" ? part : textPart(wellFormed(part.text))));

/** What of a tool's answer the model is shown. `acceptsImages`: whether the model that will read it takes images. */
export const boundParts = (
  parts: readonly ResultPart[],
  policy: Policy,
  acceptsImages: boolean,
): readonly ResultPart[] => {
  const shown = presentable(
    withinTextBudget(withoutBadImages(parts, policy, acceptsImages), policy.toolResultTextBytesMax),
  );
  return shown.length === 0 ? [textPart("(no output)")] : shown;
};

const REFLECT = "The call failed. Find the cause before you try again; do not repeat the same call unchanged.";

/** An error result for the model, with the advice that every error but a cancelled call gets. */
export const errorResult = (parts: readonly ResultPart[]): ToolResult => ({
  parts: [...parts, textPart(REFLECT)],
  isError: true,
});

/** A failure text of ours or of a server, as the only part. */
export const failureParts = (message: string, policy: Policy): readonly ResultPart[] =>
  boundParts([textPart(wellFormed(message))], policy, false);

export const CANCELLED: ToolResult = { parts: [textPart("cancelled")], isError: true };

/** The same result with one more text behind it. */
export const withText = (result: ToolResult, text: string): ToolResult => ({
  ...result,
  parts: [...result.parts, textPart(text)],
});

/** The result without its images, as an error that says why; undefined when it has none (recovery from a refused image). */
export const withoutImages = (result: ToolResult): ToolResult | undefined => {
  if (result.parts.every(({ kind }) => kind === "text")) return undefined;
  const why =
    "This result held an image, and the model does not support image input. The image was removed: use a text-based inspection instead.";
  return { isError: true, parts: [...result.parts.filter(({ kind }) => kind === "text"), textPart(why)] };
};
