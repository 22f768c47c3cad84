/**
 * The one connection pool of the process, made at the first request: an agent which is never asked anything need not read
 * undici. The program has only what is used of it here and in `send.ts` (`scripts/subsets.mjs`).
 */
import * as O from "fp-ts/lib/Option.js";
import type * as Undici from "undici";
import type { ShellLimits } from "../../core/policy.js";
import type { NetworkSettings } from "../config/network.js";

export interface Connections {
  readonly ConnectTimeoutError: typeof Undici.errors.ConnectTimeoutError;
  readonly dispatcherFor: (url: string) => Undici.Dispatcher;
  /** Ends every connection at once. */
  readonly close: () => Promise<void>;
}

export const openConnections = async (network: NetworkSettings, limits: ShellLimits): Promise<Connections> => {
  const undici = await import("undici");
  const ca = network.authorities.map((pem) => Buffer.from(pem));
  const connect = { timeout: limits.connectTimeoutMs, ...(ca.length > 0 ? { ca } : {}) };
  // The deadline of a try is ours and exact; undici's own timers are neither (spec/ecosystem.md 1.4).
  const options = { headersTimeout: 0, bodyTimeout: 0, connect };

  const dispatcherBy = (proxy: O.Option<string>): Undici.Dispatcher =>
    O.isNone(proxy)
      ? new undici.Agent(options)
      : new undici.EnvHttpProxyAgent({
          ...options,
          httpProxy: proxy.value,
          httpsProxy: proxy.value,
          noProxy: network.noProxy,
          requestTls: connect,
          proxyTls: connect,
          // Plain HTTP goes to the proxy as it does with curl; a tunnel to port 80 is what many proxies refuse.
          proxyTunnel: false,
        });
  const http = dispatcherBy(network.httpProxy);
  const https = dispatcherBy(network.httpsProxy);
  return {
    ConnectTimeoutError: undici.errors.ConnectTimeoutError,
    dispatcherFor: (url) => (url.startsWith("https:") ? https : http),
    close: async () => {
      await Promise.all([http.destroy(), https.destroy()]);
    },
  };
};
