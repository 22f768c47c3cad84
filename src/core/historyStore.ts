/** Builds, measures and changes `History`: a persistent structure, each change of which shares all but one chunk with what was before. */
import { isSome } from "fp-ts/lib/Option.js";
import type { AssistantItem, History, HistoryItem, ResultPart, ToolExchange, ToolResult } from "./history.js";
import { assertNever } from "./never.js";
import { utf8Bytes } from "./text.js";

/** Items in a chunk: what a push copies at most. */
const CHUNK_ITEMS = 64;

export const emptyHistory: History = { revision: 0, chunks: [], length: 0, bytes: 0, pressureBytes: 0 };

/** All items, oldest first. `flat` would look for more to flatten in each of them, and take ten times as long. */
export const historyItems = ({ chunks }: History): readonly HistoryItem[] => {
  const items: HistoryItem[] = [];
  for (const chunk of chunks) items.push(...chunk);
  return items;
};

/** Size of something in history: true UTF-8 bytes, and what it presses on the window (images at a flat rate). */
export interface Size {
  readonly bytes: number;
  readonly pressureBytes: number;
}

const textSize = (bytes: number): Size => ({ bytes, pressureBytes: bytes });
const sum = (sizes: readonly Size[]): Size =>
  sizes.reduce((a, b) => ({ bytes: a.bytes + b.bytes, pressureBytes: a.pressureBytes + b.pressureBytes }), textSize(0));

const partSize = (part: ResultPart, imagePressureBytes: number): Size => {
  switch (part.kind) {
    case "text":
      return textSize(utf8Bytes(part.text));
    case "image": {
      const mime = utf8Bytes(part.mimeType);
      return { bytes: part.dataBase64.length + mime, pressureBytes: imagePressureBytes + mime };
    }
  }
  return assertNever(part);
};

export const resultSize = (result: ToolResult, imagePressureBytes: number): Size =>
  sum(result.parts.map((part) => partSize(part, imagePressureBytes)));

/** Size of a call without its result. Absent extra fields count as the two bytes of `{}`. */
const callBytes = ({ call }: ToolExchange): number =>
  utf8Bytes(call.providerId) + utf8Bytes(call.name) + utf8Bytes(call.argumentsText) + (utf8Bytes(call.extra) || 2);

const exchangeSize = (exchange: ToolExchange, imagePressureBytes: number): Size => {
  const call = textSize(callBytes(exchange));
  return exchange.outcome.kind === "open" ? call : sum([call, resultSize(exchange.outcome.result, imagePressureBytes)]);
};

const assistantSize = (item: AssistantItem, imagePressureBytes: number): Size =>
  sum([
    textSize(utf8Bytes(item.text) + (isSome(item.replay) ? utf8Bytes(item.replay.value.json) : 0)),
    ...item.exchanges.map((exchange) => exchangeSize(exchange, imagePressureBytes)),
  ]);

/** Size of an item as in `spec/providers.md` 1.1. */
export const itemSize = (item: HistoryItem, imagePressureBytes: number): Size => {
  switch (item.kind) {
    case "user":
      return textSize(utf8Bytes(item.text));
    case "assistant":
      return assistantSize(item, imagePressureBytes);
    case "hookNote":
      return textSize(utf8Bytes(item.hook) + utf8Bytes(item.server) + utf8Bytes(item.text));
  }
  return assertNever(item);
};

const knownSizes = new WeakMap<HistoryItem, { readonly imagePressureBytes: number; readonly size: Size }>();

/**
 * The same, remembered for as long as the item lives: a history that is full is truncated at every prompt, and must not be read
 * through, 16 MiB of text, each time to find out which turns go. Most histories are never full, so only that remembers.
 */
export const knownSize = (item: HistoryItem, imagePressureBytes: number): Size => {
  const known = knownSizes.get(item);
  if (known?.imagePressureBytes === imagePressureBytes) return known.size;
  const size = itemSize(item, imagePressureBytes);
  knownSizes.set(item, { imagePressureBytes, size });
  return size;
};

const grown = (history: History, chunks: History["chunks"], items: number, size: Size): History => ({
  revision: history.revision,
  chunks,
  length: history.length + items,
  bytes: history.bytes + size.bytes,
  pressureBytes: history.pressureBytes + size.pressureBytes,
});

const withLast = <T>(list: readonly T[], last: T): readonly T[] => list.with(list.length - 1, last);

export const appended = (history: History, item: HistoryItem, imagePressureBytes: number): History => {
  const { chunks } = history;
  const last = chunks.at(-1) ?? [];
  const hasRoom = chunks.length > 0 && last.length < CHUNK_ITEMS;
  const next = hasRoom ? withLast(chunks, [...last, item]) : [...chunks, [item]];
  return grown(history, next, 1, itemSize(item, imagePressureBytes));
};

/** Other items in place of all: a rewrite, so the revision counts up. Costs the whole history, and is rare. */
export const rewritten = (history: History, items: readonly HistoryItem[], imagePressureBytes: number): History => {
  const { bytes, pressureBytes } = sum(items.map((item) => knownSize(item, imagePressureBytes)));
  const chunks = Array.from({ length: Math.ceil(items.length / CHUNK_ITEMS) }, (_, index) =>
    items.slice(index * CHUNK_ITEMS, (index + 1) * CHUNK_ITEMS),
  );
  return { revision: history.revision + 1, chunks, length: items.length, bytes, pressureBytes };
};

/** With the exchange at `position` of the last item closed, where open exchanges always are. A closed one stays as it is. */
export const withClosedExchange = (
  history: History,
  position: number,
  result: ToolResult,
  imagePressureBytes: number,
): History => {
  const chunk = history.chunks.at(-1);
  const item = chunk?.at(-1);
  if (chunk === undefined || item?.kind !== "assistant") return history;
  const exchange = item.exchanges[position];
  if (exchange === undefined || exchange.outcome.kind === "closed") return history;
  const exchanges = item.exchanges.with(position, { call: exchange.call, outcome: { kind: "closed", result } });
  const { kind, turn, text, replay } = item;
  const closed = withLast<HistoryItem>(chunk, { kind, turn, text, exchanges, replay });
  return grown(history, withLast(history.chunks, closed), 0, resultSize(result, imagePressureBytes));
};
