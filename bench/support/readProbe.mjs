// Put before a program with --import: tells on stderr how many bytes the process had read, by whatever means, when it first wrote
// to stdout, be it by the stream or to the descriptor.

import fs from "node:fs";

let told = false;
const tell = () => {
  if (told) return;
  told = true;
  const bytes = /rchar: (\d+)/.exec(fs.readFileSync("/proc/self/io", "utf8"))?.[1];
  fs.writeSync(2, `read ${bytes} bytes\n`);
};

const { stdout } = process;
const write = stdout.write.bind(stdout);
/** @type {any} */
const tellingWrite = (/** @type {[string]} */ ...args) => {
  tell();
  return write(...args);
};
stdout.write = tellingWrite;

const { writeSync } = fs;
/** @type {any} */
const tellingWriteSync = (/** @type {number} */ descriptor, /** @type {[string]} */ ...rest) => {
  if (descriptor === 1) tell();
  return writeSync(descriptor, ...rest);
};
fs.writeSync = tellingWriteSync;
