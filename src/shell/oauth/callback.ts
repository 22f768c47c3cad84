/**
 * The loopback page that the browser comes back to. What it serves never repeats anything of the request, and a visit without
 * our state is somebody else's: it gets a refusal, and the wait goes on.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as E from "fp-ts/lib/Either.js";
import { escapeControls } from "../log.js";

export interface Callback {
  readonly redirectUri: string;
  /** The code, or why there is none. Resolves within the time limit. */
  readonly code: Promise<E.Either<string, string>>;
  readonly close: () => void;
}

const ERROR_CHARACTERS_MAX = 200;

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><p>${text}</p></html>\n`;

const signedIn = page("Turnfold", "You are signed in. This window can be closed.");
const notSignedIn = page("Turnfold", "Signing in failed. The terminal says why.");

/** A visit that concerns this login: the code, or the server's refusal in short. */
const outcomeOf = (query: URLSearchParams, state: string): E.Either<string, string> | undefined => {
  if (query.get("state") !== state) return undefined;
  const code = query.get("code") ?? "";
  if (code !== "") return E.right(code);
  const error = query.get("error") ?? "the browser came back without a code";
  return E.left(escapeControls(error.slice(0, ERROR_CHARACTERS_MAX)));
};

const answer = (response: ServerResponse, status: number, body: string): void => {
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(status, headers).end(body);
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** Listens on a free port of 127.0.0.1. `state` is unguessable. */
export const awaitCallback = async (state: string, timeoutMs: number): Promise<Callback> => {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const redirectUri = `http://localhost:${portOf(server)}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const code = new Promise<E.Either<string, string>>((resolve) => {
    const timer = setTimeout(() => {
      resolve(E.left(`nobody signed in within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const visit = (request: IncomingMessage, response: ServerResponse): void => {
      const url = new URL(request.url ?? "/", redirectUri);
      const outcome = url.pathname === "/" ? outcomeOf(url.searchParams, state) : undefined;
      if (outcome === undefined) return answer(response, 404, notSignedIn);
      clearTimeout(timer);
      response.on("finish", () => {
        resolve(outcome);
      });
      return answer(response, 200, E.isRight(outcome) ? signedIn : notSignedIn);
    };
    server.on("request", visit);
  });
  return { redirectUri, code, close };
};
