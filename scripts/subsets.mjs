// Of some packages the program uses a part that nothing in them separates from the rest. What cannot be reached from our calls
// is left out of the bundle here; each module that stands in for one says why, and throws should that turn out to be wrong.

import { createRequire } from "node:module";
import path from "node:path";

/** @typedef {import("rolldown").Plugin} Plugin */

/** What `send.ts` and `dispatcher.ts` use of undici; its index requires fetch, web sockets, caches and mocks as well. */
const UNDICI = `
  const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
  // By which a proxy is asked for a tunnel.
  Dispatcher.prototype.connect = require("undici/lib/api/api-connect.js");
  exports.Agent = require("undici/lib/dispatcher/agent.js");
  exports.EnvHttpProxyAgent = require("undici/lib/dispatcher/env-http-proxy-agent.js");
  exports.errors = require("undici/lib/core/errors.js");
`;

/**
 * Ends of paths below node_modules, and what stands there: another module, or something under the same name that throws.
 * @type {readonly { readonly module: string, readonly instead?: string, readonly throws?: string, readonly why: string }[]}
 */
const REPLACED = [
  {
    module: "undici/lib/llhttp/llhttp_simd-wasm.js",
    instead: "undici/lib/llhttp/llhttp-wasm.js",
    why: "the same parser; without SIMD it runs on every machine, and one of the two is enough",
  },
  { module: "undici/lib/dispatcher/client-h2.js", throws: "module.exports", why: "allowH2 is never set" },
  {
    module: "undici/lib/dispatcher/socks5-proxy-agent.js",
    throws: "module.exports",
    why: "the settings take http and https proxies only",
  },
  { module: "undici/lib/web/fetch/body.js", throws: "exports.extractBody", why: "no body is form data" },
  {
    module: "@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js",
    throws: "exports.AjvJsonSchemaValidator",
    why: "mcp/client.ts brings a validator of its own",
  },
];

const VIRTUAL = "\0subset:";

/** WebAssembly as it is weighs a fifth less than in base64. The module is what gives the bytes. @type {Plugin} */
export const wasmFiles = {
  name: "wasm-files",
  load: {
    filter: { id: /llhttp-wasm\.js$/u },
    handler(id) {
      const name = `${path.basename(id, "-wasm.js")}.wasm`;
      this.emitFile({ type: "asset", fileName: `chunks/${name}`, source: createRequire(id)(id) });
      return `module.exports = require("node:fs").readFileSync(require("node:path").join(__dirname, "${name}"));`;
    },
  },
};

/** @type {Plugin} */
export const subsets = {
  name: "subsets",
  resolveId: {
    order: "pre",
    async handler(id, importer, { kind }) {
      if (id === "undici") return `${VIRTUAL}undici.js`;
      const found = REPLACED.some(({ module }) => path.basename(module, ".js") === path.basename(id, ".js"))
        ? await this.resolve(id, importer, { kind, skipSelf: true })
        : null;
      const replaced = REPLACED.find(({ module }) => found?.id.endsWith(path.normalize(`node_modules/${module}`)));
      if (found === null || replaced === undefined) return found;
      return replaced.instead === undefined
        ? `${VIRTUAL}${replaced.module}`
        : found.id.replace(path.normalize(replaced.module), path.normalize(replaced.instead));
    },
  },
  load: {
    filter: { id: /^\0subset:/u },
    handler(id) {
      const module = id.slice(VIRTUAL.length);
      if (module === "undici.js") return UNDICI;
      const replaced = REPLACED.find((each) => each.module === module);
      if (replaced === undefined) return null;
      return `${replaced.throws} = function leftOut() { throw new Error(${JSON.stringify(`${module} is left out: ${replaced.why}`)}); };`;
    },
  },
};
