import { some } from "fp-ts/lib/Option.js";
import { expect, it } from "vitest";
import { itemSize } from "../../../src/core/historyStore.js";
import { assistant, exchange, image, textPart } from "../providers/fixtures.js";

it("replay data counts its serialised length, in the true size and in what presses on the window", () => {
  const json = '[{"type":"reasoning.text","text":"é"}]';
  const bytes = 4 + json.length + 1;
  const replay = some({ dialect: "openrouter-chat", model: "m", json });
  expect(itemSize(assistant("said", [], replay), 100)).toEqual({ bytes, pressureBytes: bytes });
});

it("an image counts its true length in one and a flat rate in the other, its mime type in both", () => {
  const call = exchange({ id: "c1", name: "n", argumentsText: "{}", parts: [textPart("é"), image("QUJD")] });
  // Id, name, arguments, absent extra fields; the text's two bytes; image/png.
  const rest = 2 + 1 + 2 + 2 + 2 + 9;
  expect(itemSize(assistant("", [call]), 100)).toEqual({ bytes: rest + 4, pressureBytes: rest + 100 });
});
