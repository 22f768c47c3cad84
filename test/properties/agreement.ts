/** The commands of the model-based property, and the property itself: the session beside a naive model, command by command. */
import * as fc from "fast-check";
import {
  historyItems,
  step,
  type Event,
  type ModelFailure,
  type ModelReply,
  type Session,
} from "../../src/core/index.js";
import { assertNever } from "../../src/core/never.js";
import {
  answerTo,
  begin,
  catalog,
  equal,
  failure,
  playEvent,
  reply,
  saying,
  session,
  settings,
  text,
  toolOutcome,
  type Answers,
  type CatalogChange,
  type Order,
  type Play,
  type Transition,
} from "../../src/testing/index.js";
import { onPrompt, onReply, onSteer, shownOf } from "./naiveModel.js";
import {
  afterHandoff,
  end,
  gate,
  head,
  modelOf,
  noteStarted,
  notSummarised,
  objected,
  overflowed,
  summarised,
  use,
  type Model,
  type ModelPhase,
} from "./turnModel.js";

interface Real {
  play: Play;
}

type Command = fc.Command<Model, Real>;

/** Commands that were run, by the phase in which they came. */
export const played: Record<ModelPhase, number> = {
  idle: 0,
  model: 0,
  summary: 0,
  compactHooks: 0,
  tools: 0,
  stopHooks: 0,
  draining: 0,
};

const modelPhase = ({ phase }: Session): ModelPhase | "awaitingCatalog" => {
  switch (phase.kind) {
    case "awaitingModel":
      return "model";
    case "awaitingSummary":
      return "summary";
    case "awaitingCompactHooks":
      return "compactHooks";
    case "awaitingTools":
      return "tools";
    case "awaitingStopHooks":
      return "stopHooks";
    case "idle":
    case "draining":
    case "awaitingCatalog":
      return phase.kind;
  }
  return assertNever(phase);
};

const agree = (model: Model, { play }: Real): void => {
  const faults = [...model.faults];
  if (modelPhase(play.session) !== model.phase) faults.push(`in ${play.session.phase.kind}, predicted ${model.phase}`);
  const shown = historyItems(play.session.history).map(shownOf);
  if (!equal(shown, model.naive.history)) {
    faults.push(`history ${JSON.stringify(shown)}\npredicted ${JSON.stringify(model.naive.history)}`);
  }
  if (!equal(play.session.usage, model.session)) faults.push("the session's usage is not the naive sum");
  if (faults.length > 0) throw new Error(faults.join("\n"));
};

/** A command: when it makes sense, the event it is, and what the naive model makes of it. */
const command = (
  name: string,
  check: (model: Model) => boolean,
  event: (play: Play) => Event | undefined,
  predict: (model: Model, done: Transition) => void,
): Command => ({
  check: (model) => check(model),
  run: (model, real) => {
    const what = event(real.play);
    if (what === undefined) return;
    played[model.phase] += 1;
    const [next, done] = playEvent(step, real.play, what);
    real.play = next;
    predict(model, done);
    noteStarted(model, done);
    agree(model, real);
  },
  toString: () => name,
});

const plain: Answers = {
  model: { kind: "reply", reply: saying("ok") },
  tool: { kind: "cancelled" },
  permission: "allowOnce",
  hooks: [],
  attempts: { tries: 1, waitedMs: 0 },
};

const awaited = ({ orders }: Play, type: Order["type"], pick = 0): Order | undefined => {
  const all = orders.awaited.filter((order) => order.type === type);
  return all[pick % Math.max(1, all.length)];
};

const answering =
  (type: Order["type"], given: Partial<Answers>, pick = 0) =>
  (play: Play): Event | undefined => {
    const order = awaited(play, type, pick);
    return order && answerTo(order, { ...plain, ...given });
  };

const isBlank = (said: string): boolean => said.trim() === "";
const isIn =
  (...phases: readonly ModelPhase[]) =>
  (model: Model): boolean =>
    phases.includes(model.phase);
const running = isIn("model", "summary", "compactHooks", "tools", "stopHooks");

const prompt = (said: string): Command =>
  command(
    `prompt ${JSON.stringify(said)}`,
    (model) => model.phase === "idle" && !isBlank(said),
    (play) => ({ type: "promptReceived", request: `p${play.count}`, runId: `run-${play.count}`, text: said }),
    (model, done) => {
      Object.assign(model, { rounds: 0, rejections: 0, reminders: 0, replied: false });
      onPrompt(model.naive, said);
      head(model, done);
    },
  );

const steer = (said: string): Command =>
  command(
    `steer ${JSON.stringify(said)}`,
    (model) => running(model) && !isBlank(said) && model.naive.waiting.length < model.policy.maxSteersWaiting,
    (play) => ({
      type: "steerReceived",
      request: `s${play.count}`,
      messageId: `m${play.count}`,
      expectedRunId: play.session.phase.kind === "idle" ? "" : play.session.phase.turn.runId,
      text: said,
    }),
    (model) => onSteer(model.naive, said),
  );

/** A kept call of a registered shell whose command sends something (`spec/turn-loop.md` 8). */
const sends = (model: Model, { calls }: ModelReply): boolean =>
  calls
    .slice(0, model.policy.maxToolCallsPerReply)
    .some(
      ({ name, argumentsText }) =>
        name === "dev__shell" &&
        model.sent.tools.some((tool) => tool.name === name) &&
        argumentsText.includes("messages send"),
    );

const predictReply = (model: Model, done: Transition, said: ModelReply): void => {
  use(model, said.usage);
  const verdict = onReply(model.naive, said, model.sent, model.catalog.tools, model.policy);
  switch (verdict) {
    case "calls": {
      model.replied ||= sends(model, said);
      model.keys = done.effects.flatMap((effect) =>
        effect.type === "publish" && effect.update.kind === "toolAnnounced" ? [effect.update.key] : [],
      );
      model.started = new Set();
      model.phase = "tools";
      if (model.naive.calls.every(({ error }) => error !== undefined)) head(model, done);
      return;
    }
    case "continue":
      return head(model, done);
    case "gate":
      return gate(model, done);
    case "maxTokens":
      return end(model, done, "max_tokens");
    case "refusal":
      return end(model, done, "refusal");
    case "failed":
      return end(model, done, undefined);
  }
};

const replying = (said: ModelReply): Command =>
  command(
    `reply ${said.stop.kind} with ${said.calls.length} calls`,
    isIn("model"),
    answering("callModel", { model: { kind: "reply", reply: said } }),
    (model, done) => predictReply(model, done, said),
  );

const failing = (failed: ModelFailure): Command =>
  command(
    `fail ${failed.kind}`,
    (model) => model.phase === "model" && failed.kind !== "imageUnsupported",
    answering("callModel", { model: { kind: "failure", failure: failed } }),
    (model, done) => (failed.kind === "contextExceeded" ? overflowed(model, done) : end(model, done, undefined)),
  );

const summary = (said: ModelReply): Command =>
  command(
    `summary ${said.stop.kind} ${JSON.stringify(said.text)}`,
    isIn("summary"),
    answering("summarise", { model: { kind: "reply", reply: said } }),
    (model, done) => {
      use(model, said.usage);
      if (isBlank(said.text) || said.stop.kind === "refusal") notSummarised(model, done);
      else summarised(model, done);
    },
  );

const noSummary = (failed: ModelFailure): Command =>
  command(
    "summary fails",
    isIn("summary"),
    answering("summarise", { model: { kind: "failure", failure: failed } }),
    notSummarised,
  );

const hooks = (said: Answers["hooks"]): Command =>
  command(
    `hooks say ${said.length} texts`,
    isIn("stopHooks", "compactHooks"),
    answering("callHooks", { hooks: said }),
    (model, done) => {
      if (model.phase === "compactHooks") return afterHandoff(model, done);
      const wellFormed = said.map(({ server, text: words }) => ({
        server,
        text: words.replace(/\p{Surrogate}/gu, "\ufffd"),
      }));
      objected(
        model,
        done,
        wellFormed.filter(({ text: words }) => !isBlank(words)),
      );
    },
  );

const close = (model: Model, key: string | undefined, error: boolean): void => {
  const call = model.naive.calls[model.keys.indexOf(key ?? "")];
  if (call !== undefined) call.error = error;
};

const tool = (tool: Answers["tool"], pick: number): Command => {
  let key: string | undefined;
  return command(
    `tool ${tool.kind}`,
    isIn("tools", "draining"),
    (play) => {
      const order = awaited(play, "runTool", pick);
      key = order?.type === "runTool" ? order.key : undefined;
      return order && answerTo(order, { ...plain, tool });
    },
    (model, done) => {
      close(model, key, tool.kind === "result" ? tool.isError : true);
      if (model.naive.calls.some(({ error }) => error === undefined)) return;
      if (model.phase === "draining") end(model, done, "cancelled");
      else head(model, done);
    },
  );
};

const closeAll = (model: Model, which: (key: string) => boolean): void => {
  for (const [at, call] of model.naive.calls.entries()) {
    if (call.error === undefined && which(model.keys[at] ?? "")) call.error = true;
  }
};

const cancel: Command = command(
  "cancel",
  running,
  () => ({ type: "cancelRequested", drainMs: 1000 }),
  (model, done) => {
    if (model.phase !== "tools") return end(model, done, "cancelled");
    closeAll(model, (key) => !model.started.has(key));
    model.phase = "draining";
  },
);

const drained: Command = command("drain expires", isIn("draining"), answering("startTimer", {}), (model, done) => {
  closeAll(model, () => true);
  end(model, done, "cancelled");
});

const outside = (change: CatalogChange): Command =>
  command(
    `catalog of ${change.tools.length} tools`,
    () => change.complete,
    () => ({ type: "catalogChanged", ...change }),
    (model) => {
      model.catalog = change;
    },
  );

const choosing = (chosen: Session["settings"]): Command =>
  command(
    `settings ${chosen.windowTokens}`,
    () => true,
    () => ({ type: "settingsChanged", settings: chosen }),
    (model) => {
      model.settings = chosen;
    },
  );

const said = fc.array(fc.record({ server: fc.constantFrom("fs", "dev"), text }), { maxLength: 2 });

const all = [
  text.map(prompt),
  text.map(steer),
  reply.map(replying),
  reply.map(replying),
  reply.map(replying),
  reply.map(summary),
  reply.map(summary),
  failure.map(failing),
  failure.map(noSummary),
  said.map(hooks),
  said.map(hooks),
  fc.tuple(toolOutcome, fc.nat({ max: 7 })).map(([outcome, pick]) => tool(outcome, pick)),
  fc.tuple(toolOutcome, fc.nat({ max: 7 })).map(([outcome, pick]) => tool(outcome, pick)),
  fc.constant(cancel),
  fc.constant(drained),
  catalog.map(outside),
  settings.map(choosing),
];

export const agreement = fc.property(
  session,
  catalog,
  fc.commands(all, { maxCommands: 300, size: "max" }),
  (start, change, commands) => {
    const policy = { ...start.policy, permissions: "never" as const, maxTurnTokens: 0 };
    const complete = { ...change, complete: true };
    fc.modelRun(() => {
      const [play] = playEvent(step, begin({ ...start, policy }), { type: "catalogChanged", ...complete });
      return { model: modelOf(policy, start.settings, complete), real: { play } };
    }, commands);
  },
);
