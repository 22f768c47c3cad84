/** Real servers on loopback that go wrong in one way each. Everything is closed when the test ends. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import * as net from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Listening {
  readonly port: number;
  readonly url: string;
}

const listen = async (server: net.Server | Server, close: () => void): Promise<Listening> => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        close();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
};

export const httpServer = (listener: RequestListener): Promise<Listening> => {
  const server = createServer(listener);
  return listen(server, () => server.closeAllConnections());
};

/** Answers the requests one after the other; the last answer holds for all that follow. */
export const answering = async (
  ...answers: readonly RequestListener[]
): Promise<Listening & { readonly requests: string[] }> => {
  const requests: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(await readAll(request));
    answers[Math.min(requests.length, answers.length) - 1]?.(request, response);
  };
  const server = await httpServer((request, response) => void answer(request, response));
  return { ...server, requests };
};

export const readAll = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

export const respond =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

/** A server of raw sockets: `behave` is called when a connection's first bytes are there. `connections` counts them. */
export const rawServer = async (
  behave: (socket: net.Socket, count: number) => void,
): Promise<Listening & { connections: () => number }> => {
  const sockets = new Set<net.Socket>();
  let count = 0;
  const server = net.createServer((socket) => {
    count += 1;
    const mine = count;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.once("data", () => behave(socket, mine));
  });
  const listening = await listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  return { ...listening, connections: () => count };
};

/** A port of loopback where nobody listens. */
export const closedPort = async (): Promise<number> => {
  const server = net.createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};
