/** Judges every frame that the agent sends by the v1 JSON schema that the official SDK ships, and by its root keys. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Schema = Readonly<Record<string, unknown>>;
type Definitions = Readonly<Record<string, Schema>>;

const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
const schema = JSON.parse(readFileSync(file, "utf8")) as { readonly $defs: Definitions };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "acp");

const compiled = new Map<string, ValidateFunction>();
const validator = (definition: string): ValidateFunction => {
  const validate = compiled.get(definition) ?? ajv.compile({ $ref: `acp#/$defs/${definition}` });
  compiled.set(definition, validate);
  return validate;
};

const RESULTS: Readonly<Record<string, string>> = {
  initialize: "InitializeResponse",
  authenticate: "AuthenticateResponse",
  "session/new": "NewSessionResponse",
  "session/prompt": "PromptResponse",
  "session/close": "CloseSessionResponse",
  "session/set_config_option": "SetSessionConfigOptionResponse",
};
const REQUESTS: Readonly<Record<string, string>> = { "session/request_permission": "RequestPermissionRequest" };
const NOTIFICATIONS: Readonly<Record<string, string>> = {
  "session/update": "SessionNotification",
  "$/cancel_request": "CancelRequestNotification",
};
/** The one key of ours that the schema does not have (decisions.md, ACP). */
const EXTRA_KEYS: Readonly<Record<string, readonly string[]>> = { NewSessionResponse: ["models"] };

const keysOf = (definition: Schema | undefined): readonly string[] => {
  if (definition === undefined) return [];
  const own = Object.keys((definition["properties"] as Schema | undefined) ?? {});
  const parts = ["allOf", "oneOf", "anyOf"].flatMap(
    (word) => (definition[word] as readonly Schema[] | undefined) ?? [],
  );
  const { $ref } = definition;
  const referenced = typeof $ref === "string" ? keysOf(schema.$defs[$ref.slice("#/$defs/".length)]) : [];
  return [...own, ...parts.flatMap(keysOf), ...referenced];
};

const unknownKeys = (what: string, value: unknown, allowed: readonly string[]): readonly string[] =>
  Object.keys(Object(value) as object)
    .filter((key) => key !== "_meta" && !allowed.includes(key))
    .map((key) => `${what}: unknown key ${key}`);

const judge = (definition: string, value: unknown): readonly string[] => {
  const validate = validator(definition);
  const faults = validate(value) ? [] : [`${definition}: ${ajv.errorsText(validate.errors)}`];
  const allowed = [...keysOf(schema.$defs[definition]), ...(EXTRA_KEYS[definition] ?? [])];
  return [...faults, ...unknownKeys(definition, value, allowed)];
};

/** Keys of the one update kind, which the schema of all kinds together would not tell apart. */
const judgeUpdate = (params: unknown): readonly string[] => {
  const { update } = params as { readonly update: Readonly<Record<string, unknown>> };
  const kind = String(update["sessionUpdate"]);
  const variants = (schema.$defs["SessionUpdate"]?.["oneOf"] ?? []) as readonly Schema[];
  const variant = variants.find((each) => JSON.stringify(each["properties"]).includes(`"const":"${kind}"`));
  return unknownKeys(kind, update, keysOf(variant));
};

/** Frames over 1 MiB break clients, and so do the line separators that only some readers know. */
const judgeLine = (line: string): readonly string[] => [
  ...(Buffer.byteLength(line) > 1024 * 1024 ? ["a frame of more than 1 MiB"] : []),
  ...(/[\u2028\u2029]/u.test(line) ? ["a raw line separator"] : []),
];

const judgeError = (error: unknown): readonly string[] => {
  const { code, message } = error as { readonly code: unknown; readonly message: unknown };
  const good = Number.isInteger(code) && typeof message === "string" && message !== "" && !/[\n\r]/u.test(message);
  return [...judge("Error", error), ...(good ? [] : ["an error needs an integer code and one line of text"])];
};

const judgeFrame = (
  frame: Readonly<Record<string, unknown>>,
  methodOf: (id: unknown) => string | undefined,
  extensions: boolean,
): readonly string[] => {
  const { method, params, result, error } = frame;
  if (typeof method === "string") {
    const definition = "id" in frame ? REQUESTS[method] : NOTIFICATIONS[method];
    if (definition !== undefined)
      return [...judge(definition, params), ...(method === "session/update" ? judgeUpdate(params) : [])];
    return extensions && method.startsWith("_") && !("id" in frame) ? [] : [`unasked for: ${method}`];
  }
  if ("result" in frame === "error" in frame) return ["neither or both of result and error"];
  if ("error" in frame) return judgeError(error);
  const definition = RESULTS[methodOf(frame["id"]) ?? ""];
  return definition === undefined ? [] : judge(definition, result);
};

/**
 * What is wrong with one line of the agent's stdout: normally nothing. `methodOf` tells what a response answers, `extensions`
 * whether the client has asked for extension notifications.
 */
export const faultsOf = (
  line: string,
  methodOf: (id: unknown) => string | undefined,
  extensions: boolean,
): readonly string[] => {
  let frame: Readonly<Record<string, unknown>>;
  try {
    frame = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return ["not JSON"];
  }
  const version = frame["jsonrpc"] === "2.0" ? [] : ["jsonrpc is not 2.0"];
  return [...judgeLine(line), ...version, ...judgeFrame(frame, methodOf, extensions)];
};
