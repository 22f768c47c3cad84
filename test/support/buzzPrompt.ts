/** Prompts as buzz-acp writes them, block by block (`spec/memory-agent-and-harness.md` 3.5 and 3.6). */
import { createHash } from "node:crypto";

export const CHANNEL = "3f0c2a9e-6b1d-4e57-9a43-0d5be1c7f812";
export const OTHER_CHANNEL = "00000000-1111-4222-8333-444444444444";
export const id = (twoDigits: string): string => twoDigits.repeat(32);
export const AUTHOR = id("a1");

export interface Said {
  readonly text: string;
  /** Its tags beside `h`. */
  readonly tags?: readonly (readonly string[])[];
  readonly channel?: string;
  /** Instead of the true one. */
  readonly eventId?: string;
  readonly time?: string;
}

const tagsOf = ({ channel = CHANNEL, tags = [] }: Said): readonly (readonly string[])[] => [["h", channel], ...tags];
const timeOf = ({ time = "2026-09-21T14:13:20+00:00" }: Said): string => time;

/** The hash that Nostr events are named by. */
export const eventId = (said: Said): string => {
  if (said.eventId !== undefined) return said.eventId;
  const body = [0, AUTHOR, Date.parse(timeOf(said)) / 1000, 9, tagsOf(said), said.text];
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
};

export interface Channel {
  readonly id: string;
  /** "" when it is not known. */
  readonly name: string;
}

export const teamNotes: Channel = { id: CHANNEL, name: "team-notes" };

const channelLine = ({ id: channel, name }: Channel): string =>
  `Channel: ${name === "" ? channel : `${name} (#${channel})`}`;

export const eventText = (said: Said, channel: Channel = teamNotes): string =>
  [
    `Event ID: ${eventId(said)}`,
    channelLine(channel),
    "Kind: 9",
    `From: Member One (npub: npub15xs6rgdp5xs6rgdp5xs6rgdp5xs6rgdp5xs6rgdp5xs6rgdp5xssep7wk8, hex: ${AUTHOR})`,
    `Time: ${timeOf(said)}`,
    `Content: ${said.text}`,
    `Tags: ${JSON.stringify(tagsOf(said))}`,
    `Parsed: mentions=[Recall Bot (${id("7e")})]`,
  ].join("\n");

export const eventBlock = (said: Said, channel?: Channel): string =>
  `[Buzz event: @mention]\n${eventText(said, channel)}`;

const numbered = (events: readonly Said[]): string =>
  events.map((said, index) => `\n--- Event ${index + 1} (@mention) ---\n${eventText(said)}`).join("\n");

export const batchBlock = (events: readonly Said[]): string =>
  `[Buzz events — ${events.length} events]\n${numbered(events)}`;

export const mergeBlocks = (before: Said, after: Said): readonly string[] => [
  `[What you were working on]\n${numbered([before])}`,
  `[New message — arrived while you were working]\n${numbered([after])}`,
  "Note: the new message came while you were working; take it into account.",
];

export interface Context {
  readonly scope?: "channel" | "thread" | "dm";
  readonly channel?: Channel;
  readonly description?: string;
  readonly root?: string;
  readonly parent?: string;
  /** None: nothing to reply to. */
  readonly anchor?: string;
}

export const contextBlock = ({
  scope = "channel",
  channel = teamNotes,
  description,
  root,
  parent,
  anchor,
}: Context = {}): string => {
  const thread = [
    ...(root === undefined ? [] : [`Thread root: ${root}`]),
    ...(parent === undefined ? [] : [`Parent: ${parent}`]),
  ];
  const history = "Hint: `buzz messages get --channel <UUID>` lists recent messages.";
  return [
    "[Context]",
    `Scope: ${scope}`,
    channelLine(channel),
    ...(description === undefined ? [] : [`Description: ${description}`]),
    ...(scope === "dm" ? [history, ...thread] : [...thread, history]),
    ...(anchor === undefined
      ? []
      : [
          `IMPORTANT: Answer with \`--reply-to ${anchor}\` on \`buzz messages send\`. Omit \`--reply-to\` only when a person asks for a top-level post.`,
        ]),
  ].join("\n");
};

/** A mention in a channel: what the harness sends most. */
export const mention = (text: string): readonly string[] => {
  const said = { text };
  return [contextBlock({ anchor: eventId(said) }), eventBlock(said)];
};

export const textBlocks = (blocks: readonly string[]): readonly object[] =>
  blocks.map((text) => ({ type: "text", text }));
