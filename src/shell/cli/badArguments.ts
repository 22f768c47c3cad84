/** What Node's `parseArgs` finds wrong, as a part of one line. */
export const badArguments = (fault: unknown): string =>
  fault instanceof Error
    ? fault.message.replaceAll("\n", " ").replace(/\. (?:To specify a positional|This command does not take) .*$/, "")
    : "bad arguments";
