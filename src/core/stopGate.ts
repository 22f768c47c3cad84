/** The stop gate (`spec/turn-loop.md` 8): who may keep a turn from ending that the model thinks is done. */
import type { HookOutput } from "./event.js";
import { askHooks } from "./hooks.js";
import { beginRound } from "./round.js";
import { clampText, isBlank, wellFormed } from "./text.js";
import { append, stopTurn } from "./turn.js";
import { type OpenTurn, type Work } from "./work.js";

/** The reply guard speaks under this server name. */
const GUARD_SERVER = "turnfold";

const REMINDER =
  "You are ending this turn without having sent anything: nobody sees your plain text. Publish your answer with the shell tool " +
  "(buzz messages send ..., or buzz reactions add ...). If silence is genuinely correct here, end the turn again and say why.";

/** Ends the turn, unless a steer waits, a hook objects or the reply guard reminds. */
export const enterStopGate = (work: Work, turn: OpenTurn): void => {
  if (turn.steers.length > 0) return beginRound(work, turn);
  if (turn.rejections >= work.session.policy.stopMaxRejections) return stopTurn(work, turn, "end_turn");
  const hooks = askHooks(work, turn, "_Stop");
  if (hooks === undefined) return onStopHooksAnswered(work, turn, []);
  work.session.phase = { kind: "awaitingStopHooks", turn, hooks };
};

const reminderIsDue = (work: Work, turn: OpenTurn): boolean => {
  const { requireReply, maxReplyReminders } = work.session.policy;
  return requireReply && !turn.replied && turn.reminders < maxReplyReminders;
};

/** One rejection is counted however many spoke; each text becomes a hook note, none of them ever reaches the client. */
export const onStopHooksAnswered = (work: Work, turn: OpenTurn, outputs: readonly HookOutput[]): void => {
  const texts = outputs.filter(({ text }) => !isBlank(text));
  const reminder = reminderIsDue(work, turn);
  if (texts.length === 0 && !reminder) {
    return turn.steers.length > 0 ? beginRound(work, turn) : stopTurn(work, turn, "end_turn");
  }
  turn.rejections += 1;
  for (const { server, text } of texts) addNote(work, turn, server, text);
  if (reminder) {
    turn.reminders += 1;
    addNote(work, turn, GUARD_SERVER, REMINDER);
  }
  beginRound(work, turn);
};

const addNote = (work: Work, turn: OpenTurn, server: string, text: string): void =>
  append(work, {
    kind: "hookNote",
    turn: turn.number,
    hook: "_Stop",
    server: wellFormed(server),
    text: clampText(text, work.session.policy.hookTextBytesMax, "\n[... cut ...]"),
  });
