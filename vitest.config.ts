import { defineConfig } from "vitest/config";

// The continuous run prints the seeds of properties on failure; they come from the environment so that a run can be
// repeated exactly. Integration files start real processes, and two cores bear two of them at a time.
export default defineConfig({
  // The build puts the real version here.
  define: { __TURNFOLD_VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    pool: "forks",
    // The counts that .ci/run prints come from this file.
    reporters:
      process.env["CI"] === undefined ? ["default"] : ["default", ["json", { outputFile: "reports/vitest.json" }]],
    passWithNoTests: true,
    // A test that leaves a mock, a timer or a variable behind spoils its neighbour and not itself.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      { extends: true, test: { name: "properties", include: ["test/properties/**/*.test.ts"], testTimeout: 60_000 } },
      { extends: true, test: { name: "traces", include: ["test/traces/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          // The built program is what these drive, so it is built before the first of them, once.
          globalSetup: ["test/integration/build.setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          // After the others, which would otherwise take the time from processes that are being timed.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
