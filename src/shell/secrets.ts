/**
 * Keeps secrets out of everything that leaves the shell (F55). What the world says is cleaned before it becomes an event, so
 * that state, record, log and wire agree; nothing behind this file has to think of secrets again.
 */

export interface Secrets {
  /** Makes one more value known. Values under 8 characters are not searched for: they would blacken ordinary words. */
  readonly add: (value: string) => void;
  /** The same string when there is nothing to hide. */
  readonly redact: (text: string) => string;
  /** Every string inside plain data cleaned; the very data, where there is nothing to hide. */
  readonly redactEvent: <A>(event: A) => A;
}

/** Safe inside JSON text, URLs and base64. */
export const REDACTED = "[redacted]";

const SECRET_CHARACTERS_MIN = 8;

/**
 * What base64 text holds of `value`, wherever it begins among other bytes: at each of the three alignments the characters
 * that do not depend on the neighbours.
 */
const base64Forms = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const start = Math.ceil((offset * 4) / 3);
    return text.slice(start, Math.floor(((offset + bytes.length) * 4) / 3));
  });
};

const urlSafe = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_");

const formsOf = (value: string): readonly string[] => {
  const base64 = base64Forms(value);
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...base64, ...base64.map(urlSafe)];
};

/** A header that carries a credential, as a dump of headers, a curl line or JSON shows it. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:x-)?api-key)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?:(?:bearer|basic|token)\s{1,4})?)([\w.~+/=-]{8,})/gi;

/** `Bearer ${token}` in a program and "Basic authentication" in a text stay readable: a token has a digit, or a capital inside. */
const looksLikeToken = (value: string): boolean => /\d|[a-z][A-Z]/.test(value);

/** "api-key", what separates, and a value of eight: most strings of an event are shorter. */
const HEADER_CHARACTERS_MIN = 16;

const redactHeaders = (text: string): string =>
  text.length < HEADER_CHARACTERS_MIN
    ? text
    : text.replace(HEADER, (all: string, name: string, between: string, value: string) =>
        looksLikeToken(value) ? `${name}${between}${REDACTED}` : all,
      );

const someString = (value: unknown, is: (text: string) => boolean): boolean => {
  if (typeof value === "string") return is(value);
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some((each) => someString(each, is));
};

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? value.map((each) => mapStrings(each, change))
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapStrings(each, change)]));
};

/** Values that are to be replaced, by themselves: without the look for headers. */
export const hideValues = (values: readonly string[]): Pick<Secrets, "add" | "redact"> => {
  let forms: readonly string[] = [];
  const add = (value: string): void => {
    if (value.length < SECRET_CHARACTERS_MIN) return;
    const all = new Set([...forms, ...formsOf(value)].filter((form) => form.length >= SECRET_CHARACTERS_MIN));
    // The longest first: one secret may contain another.
    forms = [...all].toSorted((a, b) => b.length - a.length);
  };
  values.forEach(add);
  return {
    add,
    redact: (text) => {
      let clean = text;
      for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, REDACTED);
      return clean;
    },
  };
};

export const createSecrets = (values: readonly string[]): Secrets => {
  const hidden = hideValues(values);
  const redact = (text: string): string => redactHeaders(hidden.redact(text));
  return {
    add: hidden.add,
    redact,
    redactEvent: <A>(event: A): A =>
      someString(event, (text) => redact(text) !== text)
        ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a string for a string: the shape is kept
          (mapStrings(event, redact) as A)
        : event,
  };
};
