import * as fc from "fast-check";

export { fc };

export const runs = { numRuns: 2000, seed: Number(process.env["TURNFOLD_SEED"] ?? 20260901) };
