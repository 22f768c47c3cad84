/** The part of the server that has something to do only once a session is open: read behind the first answer to `session/new`. */
import { createMethods } from "./methods.js";
import { askPermission } from "./permission.js";
import { createTelling } from "./telling.js";

export { askPermission, createMethods, createTelling };

export interface TurnCode {
  readonly createMethods: typeof createMethods;
  readonly askPermission: typeof askPermission;
  readonly createTelling: typeof createTelling;
}
