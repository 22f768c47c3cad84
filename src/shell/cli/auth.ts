/** `turnfold auth databricks`: signs in through the browser, and keeps the login for the agent. */
import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as O from "fp-ts/lib/Option.js";
import { defaultShellLimits } from "../../core/policy.js";
import { readFile } from "../config/files.js";
import { readNetwork, type NetworkSettings } from "../config/network.js";
import { configError, describeConfigError, read, readAll, type Environment, type Judged } from "../config/read.js";
import { secretValues } from "../config/secretValues.js";
import { SETTINGS, baseUrlVariable } from "../config/variables.js";
import { openConnections } from "../model/dispatcher.js";
import { createSend } from "../model/send.js";
import { openBrowser } from "../oauth/browser.js";
import { defaultConfigDirectory, loginIdentity } from "../oauth/identity.js";
import { signIn } from "../oauth/login.js";
import { createSecrets } from "../secrets.js";
import type { CliOutput } from "./replay.js";

const USAGE = "usage: turnfold auth databricks";

const NAMES = new Set(["databricks", "databricks_v2", "databricks-v2"]);

const BAD_USE = 2;

interface AuthSettings {
  readonly host: string;
  readonly configDirectory: string;
  readonly network: NetworkSettings;
}

const readSettings = (env: Environment): Judged<AuthSettings> => {
  const host = baseUrlVariable("DATABRICKS_HOST");
  return readAll({
    host: pipe(
      read(env, host),
      E.chain(E.fromOption(() => configError(host.name, "is required to sign in", host.codec.accepted))),
    ),
    configDirectory: E.map(O.getOrElse(defaultConfigDirectory))(read(env, SETTINGS.configDirectory)),
    network: readNetwork(env, readFile),
  });
};

export const runAuth = async (argv: readonly string[], cli: CliOutput): Promise<number> => {
  const [name, ...more] = argv;
  if (name === undefined || !NAMES.has(name) || more.length > 0) {
    cli.err(`turnfold: auth takes the name of a provider with a login; ${USAGE}`);
    return BAD_USE;
  }
  return authenticate(process.env, cli, openBrowser);
};

/** Exit code: 0 signed in, 1 not, 2 a bad environment. `visit` opens the address in a browser. */
export const authenticate = async (
  env: Environment,
  { err }: CliOutput,
  visit: (url: string) => void,
): Promise<number> => {
  const settings = readSettings(env);
  if (E.isLeft(settings)) {
    err(describeConfigError(settings.left));
    return BAD_USE;
  }
  const { host, configDirectory, network } = settings.right;
  const { redact } = createSecrets(secretValues(env));
  const connections = await openConnections(network, defaultShellLimits);
  const identity = loginIdentity(host, configDirectory);
  const signedIn = await signIn({
    identity,
    send: createSend(connections, defaultShellLimits, redact),
    visit: (url) => {
      err(`Sign in at this address; a browser should be opening it:\n\n  ${url}\n`);
      visit(url);
    },
  });
  await connections.close();
  err(
    E.isLeft(signedIn)
      ? `turnfold: not signed in: ${redact(signedIn.left)}`
      : `Signed in; kept in ${identity.tokenFile}`,
  );
  return E.isLeft(signedIn) ? 1 : 0;
};
