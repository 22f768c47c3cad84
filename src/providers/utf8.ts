/** Bytes of a reply as text. Part of every runtime (WHATWG Encoding), but the language's own library does not declare it. */
declare const TextDecoder: new () => { readonly decode: (bytes: Uint8Array) => string };

/** Invalid bytes, a character cut off at the end included, become U+FFFD; one leading byte-order mark is dropped (F63). */
export const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
