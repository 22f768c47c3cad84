import { build } from "../../scripts/build.mjs";

/** Integration tests drive the built program, so it is built from the sources at hand before the first of them. */
export async function setup(): Promise<void> {
  await build();
}
