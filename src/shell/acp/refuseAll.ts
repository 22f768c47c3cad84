/** Of an installation that is damaged nothing can be had, but every request is still answered. */
import { errorFrame, type Incoming } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import { internalError } from "./errors.js";

export const refuseAll =
  (writer: Writer) =>
  (message: Incoming): void => {
    if (message.kind === "request") writer.send(errorFrame(message.id, internalError("the agent cannot be loaded")));
  };
