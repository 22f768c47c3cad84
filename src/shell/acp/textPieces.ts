/** Long text in pieces that readers with small buffers can take (`spec/acp.md` 3.5 #43). */
import { headBytes } from "../../core/text.js";

/** Pieces of at most `bytesMax` bytes, at least 4, cut between code points; together the well-formed text. None for "". */
export const textPieces = (text: string, bytesMax: number): readonly string[] => {
  const pieces: string[] = [];
  let rest = text;
  while (rest !== "") {
    const piece = headBytes(rest, bytesMax);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
};
