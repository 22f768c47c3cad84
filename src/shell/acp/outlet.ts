/** Everything that the client is told about one session goes through here, in order. */
import type { JsonObject } from "../../core/json.js";
import type { Update } from "../../core/update.js";
import type { Later } from "../later.js";
import type { Log } from "../log.js";
import { notificationFrame } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import { createHeartbeat, SIGN_OF_LIFE } from "./heartbeat.js";
import type { ClientTraits } from "./initialize.js";
import type { Tell } from "./telling.js";
import type { TurnCode } from "./turnCode.js";

export interface Outlet {
  readonly publish: (update: Update) => void;
  /** One `session/update` body as it is. */
  readonly send: (update: JsonObject) => void;
  /** The client knows the session now: what was published before goes out, and everything from here on. */
  readonly open: () => void;
  readonly turnBegan: () => void;
  readonly turnOver: () => void;
  /** Nothing more is sent: the client has forgotten the session. */
  readonly mute: () => void;
}

export interface OutletDeps {
  readonly sessionId: string;
  readonly writer: Writer;
  readonly traits: () => ClientTraits;
  readonly turnCode: Pick<Later<Pick<TurnCode, "createTelling">>, "use">;
  readonly heartbeatMs: number;
  readonly log: Log;
}

export const createOutlet = ({ sessionId, writer, traits, turnCode, heartbeatMs, log }: OutletDeps): Outlet => {
  let state: "held" | "open" | "muted" = "held";
  const held: Update[] = [];
  let tell: Tell | undefined;
  const pulse = createHeartbeat(heartbeatMs, () => {
    send(SIGN_OF_LIFE);
  });

  const notify = (method: string, update: JsonObject): void => {
    if (state !== "open") return;
    writer.send(notificationFrame(method, { sessionId, update }));
    pulse.sent();
  };
  const send = (update: JsonObject): void => {
    notify("session/update", update);
  };

  const publish = (update: Update): void => {
    // An update for a session whose id has not been told yet is an error to many clients (`spec/acp.md` 3.4 #21).
    if (state === "held") return void held.push(update);
    return turnCode.use(({ createTelling }) => {
      tell ??= createTelling({ sessionId, traits, notify, log });
      tell(update);
    });
  };

  return {
    publish,
    send,
    open: () => {
      state = "open";
      held.splice(0).forEach(publish);
    },
    turnBegan: pulse.start,
    turnOver: pulse.stop,
    mute: () => {
      state = "muted";
      pulse.stop();
    },
  };
};
