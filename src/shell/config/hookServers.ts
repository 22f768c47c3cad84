/** Which servers may be called at hook points. An operator names them, because a hook's text becomes part of the conversation. */
export type HookServers =
  { readonly kind: "none" } | { readonly kind: "all" } | { readonly kind: "named"; readonly names: readonly string[] };

/** `*` alone means all; beside names it is a name like another, which matches no real server: a list never widens by accident. */
export const hookServers = (names: readonly string[]): HookServers => {
  if (names.length === 0) return { kind: "none" };
  return names.length === 1 && names[0] === "*" ? { kind: "all" } : { kind: "named", names };
};

export const allowsHooks = (allowed: HookServers, server: string): boolean =>
  allowed.kind === "all" || (allowed.kind === "named" && allowed.names.includes(server));
