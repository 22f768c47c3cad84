/**
 * What a server sees of the agent's environment: an allowlist (`spec/server-mcp.md` 8.2), so that no provider key ever reaches a
 * server, and on top of it what its own entry asks for (F79).
 */
type Environment = Readonly<Record<string, string | undefined>>;

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

const PASSED_ON = words(`
  PATH HOME TERM LANG LC_ALL TMPDIR XDG_CONFIG_HOME
  SSH_AUTH_SOCK SSH_AGENT_PID GIT_ASKPASS GIT_SSH_COMMAND GIT_CONFIG_GLOBAL
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  SSL_CERT_FILE SSL_CERT_DIR
  NOSTR_PRIVATE_KEY BUZZ_PRIVATE_KEY BUZZ_RELAY_URL BUZZ_AUTH_TAG BUZZ_ACP_DISPLAY_NAME
`);

const PASSED_ON_WINDOWS = words(`
  TMP TEMP USERPROFILE APPDATA LOCALAPPDATA SystemRoot ProgramFiles ProgramFiles(x86)
  PATHEXT ComSpec BUZZ_SHELL GIT_BASH
`);

/** The environment of a server. Windows looks names up without regard to case, and so does this there. */
export const serverEnvironment = (
  own: Environment,
  extra: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> => {
  const windows = platform === "win32";
  const allowed = windows ? [...PASSED_ON, ...PASSED_ON_WINDOWS] : PASSED_ON;
  const spelled = (name: string): string => (windows ? name.toUpperCase() : name);
  const wanted = new Set(allowed.map(spelled));
  const passed = Object.entries(own).flatMap(([name, value]): [string, string][] =>
    value !== undefined && wanted.has(spelled(name)) ? [[name, value]] : [],
  );
  // What the entry sets takes the place of what is passed on, also where only the case of the name differs.
  const replaced = new Set(Object.keys(extra).map(spelled));
  return Object.fromEntries([...passed.filter(([name]) => !replaced.has(spelled(name))), ...Object.entries(extra)]);
};
