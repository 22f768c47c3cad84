import { describe, expect, test } from "vitest";
import { createAskView } from "../../../src/shell/cli/askView.js";

const view = (
  terminal: boolean,
): { readonly lines: string[]; readonly say: (text: string) => void; readonly think: (text: string) => void } => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const { show } = createAskView({ out: print, aside: print, colours: false, terminal });
  return {
    lines,
    say: (text) => show({ kind: "messageSaid", messageId: "m", text }),
    think: (text) => show({ kind: "thoughtSaid", messageId: "t", text }),
  };
};

describe("what turnfold ask shows", () => {
  test("cannot move the cursor of a terminal, whatever the model says", () => {
    const { lines, say, think } = view(true);
    say("one\u001b[2Jtwo\n\tthree\r");
    think("\u009b1A");
    expect(lines).toEqual(["one\ufffd[2Jtwo\n\tthree\ufffd", "\ufffd1A"]);
  });

  test("is the answer as it came where a program reads it", () => {
    const { lines, say } = view(false);
    say("a\u001bb");
    expect(lines).toEqual(["a\u001bb"]);
  });

  test("is one line for a call, with its outcome", () => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const { show } = createAskView({ out: print, aside: print, colours: false, terminal: true });
    show({ kind: "toolAnnounced", key: "k", name: "files__read", argumentsText: '{"path":\n"a\u001b.txt"}' });
    show({ kind: "toolStarted", key: "k" });
    show({
      kind: "toolFinished",
      key: "k",
      finish: { kind: "result", parts: [{ kind: "text", text: "a\nb\n" }], isError: false },
    });
    show({ kind: "toolFinished", key: "x", finish: { kind: "timedOut", message: "took too long" } });
    expect(lines).toEqual(['✓ files__read {"path": "a .txt"} 2 lines, 4 bytes', "✗ x took too long"]);
  });
});
