/** Waits before a failing server is started again. */
import type { ShellLimits } from "../../core/policy.js";

/**
 * Before the start that follows `failures` failures in a row (at least 1): doubles from the base to the maximum, give or take a
 * fifth, so that servers that fell together do not rise together. `chance` is in [0, 1).
 */
export const restartDelayMs = (failures: number, limits: ShellLimits, chance: number): number =>
  Math.min(limits.mcpRestartBaseMs * 2 ** (failures - 1), limits.mcpRestartMaxMs) * (0.8 + 0.4 * chance);
