/** Changes from outside, legal in any phase: another catalogue, other settings. They hold from the next model request on. */
import type { Settings, Tool } from "./model.js";
import type { Event } from "./event.js";
import { beginRound } from "./round.js";
import { utf8Bytes } from "./text.js";
import { type Work } from "./work.js";

const toolBytes = ({ name, description, schema }: Tool): number =>
  utf8Bytes(name) + utf8Bytes(description) + utf8Bytes(schema);

const sameDefinition = (a: Tool, b: Tool): boolean =>
  a.description === b.description && a.schema === b.schema && a.readOnly === b.readOnly && a.builtIn === b.builtIn;

/** An allow-always is forgotten when the tool that was allowed is not the same any more. */
const stillAllowed = (name: string, before: readonly Tool[], after: readonly Tool[]): boolean => {
  const old = before.find((tool) => tool.name === name);
  const now = after.find((tool) => tool.name === name);
  return old !== undefined && now !== undefined && sameDefinition(old, now);
};

export const onCatalogChanged = (work: Work, event: Extract<Event, { type: "catalogChanged" }>): void => {
  const { session } = work;
  const before = session.catalog.tools;
  session.alwaysAllowed = session.alwaysAllowed.filter((name) => stillAllowed(name, before, event.tools));
  const { tools, hooks, complete } = event;
  session.catalog = { tools, toolBytes: tools.map(toolBytes), hooks, complete };
  const { phase } = session;
  if (phase.kind === "awaitingCatalog" && complete) beginRound(work, phase.turn);
};

export const onSettingsChanged = (work: Work, settings: Settings): void => {
  work.session.settings = settings;
};
