// All that the library may expect from its surroundings beside the language itself. tsconfig.build.json compiles it
// without Node's types and without the DOM's, so that `process`, `fetch`, a timer or a clock of the host do not even
// have a type there. Whoever needs one more name adds it here, if it is pure and exists in every JavaScript runtime.

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
