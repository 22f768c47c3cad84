// Put before a program with --import: tells on stderr how many bytes the process had read, by whatever means, when it first wrote
// to stdout.

import { readFileSync } from "node:fs";

const { stdout } = process;
const write = stdout.write.bind(stdout);
let told = false;
/** @type {any} */
const tellingWrite = (/** @type {[string]} */ ...args) => {
  if (!told) {
    told = true;
    const bytes = /rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1];
    process.stderr.write(`read ${bytes} bytes\n`);
  }
  return write(...args);
};
stdout.write = tellingWrite;
