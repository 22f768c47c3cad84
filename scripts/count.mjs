// Prints the true counts of a test run, `N passed, N failed`, with `, N skipped` where something was, from the report
// that vitest wrote; exits with 1 if anything failed. A file that could not even be loaded holds no tests that could
// fail, so it counts as one failure; a missing report is a run that broke, and counts as one failure too.

import { readFileSync } from "node:fs";

/**
 * @typedef {{ status: string }} Assertion
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[] }} TestFile
 * @typedef {{ success: boolean, testResults: TestFile[] }} Report
 */

/** @returns {{ passed: number, failed: number, skipped: number }} */
function count(/** @type {string} */ file) {
  /** @type {Report} */
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.log(`no test report: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { assertionResults, name, status } of report.testResults) {
    for (const { status } of assertionResults) {
      counts[status === "passed" || status === "failed" ? status : "skipped"] += 1;
    }
    if (status === "failed" && assertionResults.every((result) => result.status !== "failed")) {
      console.log(`failed outside its tests: ${name.slice(process.cwd().length + 1)}`);
      counts.failed += 1;
    }
  }
  // An unhandled error beside the tests fails the run without failing a test.
  if (!report.success && counts.failed === 0) counts.failed = 1;
  return counts;
}

const { passed, failed, skipped } = count(process.argv[2] ?? "reports/vitest.json");
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 ? 1 : 0;
