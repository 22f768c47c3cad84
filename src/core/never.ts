/** The end of an exhaustive switch: a new member of the union fails to compile wherever somebody has to think about it. */
export const assertNever = (value: never): never => {
  throw new Error(`unreachable: ${String(value)}`);
};
