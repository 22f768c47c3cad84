/** A real little proxy: it tunnels on CONNECT and forwards requests in absolute form, and writes down what it was asked. */
import * as http from "node:http";
import * as net from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface ProxyLog {
  readonly port: number;
  /** `CONNECT host:port` or `POST url`, with the value of proxy-authorization if there was one. */
  readonly asked: string[];
}

/** `password`: what `me:password` must be; "" asks for none. */
export const startProxy = async (password = ""): Promise<ProxyLog> => {
  const asked: string[] = [];
  const allowed = (request: http.IncomingMessage): boolean => {
    asked.push(`${request.method} ${request.url}`);
    const wanted = `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
    return password === "" || request.headers["proxy-authorization"] === wanted;
  };
  const server = http.createServer((request, response) => {
    if (!allowed(request)) {
      response.writeHead(407).end();
      return;
    }
    const { "proxy-connection": _ours, "proxy-authorization": _secret, ...headers } = request.headers;
    const onward = http.request(request.url ?? "", { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  const sockets = new Set<net.Socket>();
  server.on("connect", (request, client: net.Socket, head) => {
    if (!allowed(request)) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const target = net.connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.write(head);
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) socket.on("error", () => socket.destroy());
    sockets.add(client).add(target);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { port: (server.address() as AddressInfo).port, asked };
};
