// The build puts the version of package.json here; a test run has its own value from vitest.config.ts.
declare const __TURNFOLD_VERSION__: string;

export const version = __TURNFOLD_VERSION__;
