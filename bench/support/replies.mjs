// Large replies of providers, in the two shapes that matter: one long text, and a tool's input full of structure.

const SENTENCE = 'A line with "a quoted word", a path C:\\tmp, and the rest of a sentence.\n';

/** @param {number} bytes as JSON */
const textOf = (bytes) => SENTENCE.repeat(Math.floor(bytes / (JSON.stringify(SENTENCE).length - 2)));

/** Chat Completions: nearly all of it is text. @param {number} bytes */
export const textReply = (bytes) =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    model: "bench",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: textOf(bytes) } }],
    usage: { prompt_tokens: 1000, completion_tokens: 4_000_000, total_tokens: 4_001_000 },
  });

/** Ids beyond what a double holds, as databases and chat services have them. @param {number} index */
const bigId = (index) => String(1_234_567_890_123_456_789n + BigInt(index));

/** @param {number} index @param {boolean} bigIntegers */
const entry = (index, bigIntegers) =>
  `{"id":${bigIntegers ? bigId(index) : index},"path":"src/part/file-${index}.ts","line":${index % 977},"score":0.25,` +
  `"tags":["one","two"],"text":"const value = table.get(\\"name\\");"}`;

/** Anthropic's dialect: nearly all of it is the input of one call. @param {number} bytes @param {boolean} bigIntegers */
export const inputReply = (bytes, bigIntegers) => {
  const entries = [];
  for (let sum = 0, index = 0; sum < bytes; index += 1) {
    const text = entry(index, bigIntegers);
    entries.push(text);
    sum += text.length + 1;
  }
  entries.pop();
  return (
    `{"id":"m","type":"message","role":"assistant","model":"bench","stop_reason":"tool_use",` +
    `"content":[{"type":"tool_use","id":"t","name":"files__write","input":{"entries":[${entries.join(",")}]}}],` +
    `"usage":{"input_tokens":1000,"output_tokens":4000000}}`
  );
};
