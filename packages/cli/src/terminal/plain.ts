/**
 * Removes what would control a terminal, or show text in another order than it is written: escape sequences, carriage
 * returns, bidirectional overrides. Line feeds and tabs stay. Texts of servers are untrusted.
 */
export const plain = (text: string): string => text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');

/** Returns {@link plain} text in one line. */
export const oneLine = (text: string): string => plain(text.replace(/\s+/g, ' ')).trim();

/** JSON without characters that `JSON.stringify` leaves as they are, and a terminal does not. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
