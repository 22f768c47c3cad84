/** Orders a hook point to be called, where any server offers it. */
import type { HookPoint } from "./model.js";
import { mintEffectId, type OpenTurn, type Work } from "./work.js";

/** The effect that will be answered by `hooksAnswered`, or undefined when nobody offers the hook. */
export const askHooks = (work: Work, turn: OpenTurn, point: HookPoint): number | undefined => {
  const servers = work.session.catalog.hooks.filter((hook) => hook.point === point).map(({ server }) => server);
  if (servers.length === 0) return undefined;
  const id = mintEffectId(work);
  work.emit({ type: "callHooks", id, turn: turn.number, point, servers });
  return id;
};
