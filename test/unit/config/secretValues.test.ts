import { expect, test } from "vitest";
import { secretValues } from "../../../src/shell/config/secretValues.js";
import { anthropic } from "./fixtures.js";

test("every key that is set is a secret, whichever provider is used", () => {
  expect(secretValues({ ...anthropic, DATABRICKS_TOKEN: "dapi-1", HF_TOKEN: " ", OTHER: "x" })).toEqual([
    "sk-ant-1",
    "dapi-1",
  ]);
});

test("of a proxy the password is, written and meant", () => {
  expect(secretValues({ https_proxy: "http://me:p%40ss@proxy:1", HTTP_PROXY: "http://proxy:1" })).toEqual([
    "p%40ss",
    "p@ss",
  ]);
});
