// An HTTP client that does nothing but send bytes which are ready and find where answers end: more requests a second than any
// client that has something to do with them. One request at a time on each connection.

import { once } from "node:events";
import { connect } from "node:net";

const HEAD_END = "\r\n\r\n";

/** @param {Buffer} bytes length of the whole answer, or undefined while its head is not there */
const answerBytes = (bytes) => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1];
  return end + HEAD_END.length + Number(length);
};

/** @param {string} body */
const requestBytes = (body) =>
  Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: keep-alive\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

/** @param {number} port @param {number} connections @param {readonly string[]} bodies */
export async function startGenerator(port, connections, bodies) {
  const requests = bodies.map(requestBytes);
  const sockets = Array.from({ length: connections }, () => connect(port, "127.0.0.1").setNoDelay(true));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));

  /** All requests, one behind the other. @param {import("node:net").Socket} socket @returns {Promise<void>} */
  const sendAll = (socket) =>
    new Promise((resolve) => {
      let sent = 0;
      /** @type {Buffer} */
      let unread = Buffer.alloc(0);
      const next = () => {
        const bytes = requests[sent];
        sent += 1;
        if (bytes !== undefined) return socket.write(bytes);
        socket.off("data", read);
        return resolve();
      };
      const read = (/** @type {Buffer} */ chunk) => {
        unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
        const whole = answerBytes(unread);
        if (whole === undefined || unread.length < whole) return;
        unread = Buffer.alloc(0);
        next();
      };
      socket.on("data", read);
      next();
    });

  return {
    /** Every connection sends all bodies. */
    run: async () => {
      await Promise.all(sockets.map(sendAll));
    },
    end: () => sockets.forEach((socket) => socket.destroy()),
  };
}
