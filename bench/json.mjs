// The price of lossless JSON: time of `parseJson` divided by the time of `JSON.parse`, on the same text, in interleaved pairs
// (median). "chat" is what providers send: text and usage; "numbers" is the worst case, an array of integers; "+ u64" holds one
// integer that a double cannot. Run with `npm run bench:json`.
import { rolldown } from "rolldown";

const build = await rolldown({ input: new URL("../src/core/json.ts", import.meta.url).pathname });
const { output } = await build.generate({ format: "esm" });
await build.close();
const { parseJson } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);

const MIB = 1024 * 1024;
/** @param {number} index */
const message = (index) => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content: [
    { type: "text", text: `Line ${index}: "a quoted word", a path C:\\tmp, and the rest of a sentence.\n`.repeat(8) },
  ],
  usage: { input_tokens: 1000 + index, output_tokens: index % 500, details: { cached_tokens: 17, ratio: 0.25 } },
});

/** @param {number} bytes */
const chat = (bytes) => {
  const messages = [];
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const text = JSON.stringify(message(index));
    messages.push(text);
    size += text.length + 1;
  }
  return `[${messages.join(",")}]`;
};
/** @param {number} bytes */
const numbers = (bytes) =>
  `[${Array.from({ length: bytes / 8 }, (_, index) => 1_000_000 + (index % 8_999_999)).join(",")}]`;
/** @param {string} text */
const withU64 = (text) => `[18446744073709551615,${text.slice(1)}`;

/** @param {() => unknown} work */
const milliseconds = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};
/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * @param {string} name
 * @param {string} text
 * @param {number} pairs
 */
const measure = (name, text, pairs) => {
  const plain = [];
  const lossless = [];
  // The first runs belong to the compiler.
  for (let warmUp = 0; warmUp < 3; warmUp += 1) parseJson(JSON.stringify(JSON.parse(text)));
  for (let pair = 0; pair < pairs; pair += 1) {
    plain.push(milliseconds(() => JSON.parse(text)));
    lossless.push(milliseconds(() => parseJson(text)));
  }
  const ratio = (median(lossless) / median(plain)).toFixed(2);
  console.log(`${name.padEnd(20)} JSON.parse ${median(plain).toFixed(1).padStart(7)} ms   ratio ${ratio}`);
};

for (const mib of [1, 16]) {
  const pairs = mib === 1 ? 40 : 9;
  measure(`chat ${mib} MB`, chat(mib * MIB), pairs);
  measure(`chat ${mib} MB + u64`, withU64(chat(mib * MIB)), pairs);
  measure(`numbers ${mib} MB`, numbers(mib * MIB), pairs);
  measure(`numbers ${mib} MB + u64`, withU64(numbers(mib * MIB)), pairs);
}
