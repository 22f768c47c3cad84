/**
 * Qualified names: `<server>__<tool>` where providers accept that, otherwise a shortened form. The map is total over server
 * names that `entries.ts` lets through and tool names of any kind, injective up to a 128-bit digest, and a function of the two
 * names alone: restarts, other servers and order change nothing.
 */
import { createHash } from "node:crypto";
import { SHELL_LIMITS } from "../../core/policy.js";

/** Behind the readable beginning of a shortened name stand this mark and the digest; no unshortened name may end like that. */
const MARK = "--";
const DIGEST_LENGTH = 25;
const SHORTENED = /--[0-9a-z]{25}$/;
const READABLE_LENGTH = SHELL_LIMITS.toolNameBytesMax.default - MARK.length - DIGEST_LENGTH;

export const isServerName = (name: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(name) && !name.includes("__");

/** The convention for hooks (`spec/server-mcp.md` 9.1): never shown to the model. */
export const isHookName = (tool: string): boolean => tool.startsWith("_");

export const qualifiedName = (server: string, tool: string): string => {
  const plain = `${server}__${tool}`;
  const legal = /^[A-Za-z0-9_-]+$/.test(tool) && plain.length <= SHELL_LIMITS.toolNameBytesMax.default;
  // The first "__" of a plain name ends its server. That holds unless the server ends in "_": `a_` and `b` would meet `a` and `_b`.
  return legal && !server.endsWith("_") && !SHORTENED.test(plain) ? plain : shortened(server, tool, plain);
};

const shortened = (server: string, tool: string, plain: string): string => {
  // JSON keeps the two names apart and writes lone surrogates as escapes, so that different names never digest alike.
  const digest = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, 32);
  const readable = plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, READABLE_LENGTH);
  return readable + MARK + BigInt(`0x${digest}`).toString(36).padStart(DIGEST_LENGTH, "0");
};
