/**
 * Removes characters that control a terminal, or change the visible order of the text: escape sequences, carriage
 * returns, bidirectional overrides. Keeps line feeds and tabs. Text from servers is untrusted.
 */
export const plain = (text: string): string => text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');

/** Returns {@link plain} text on one line. */
export const oneLine = (text: string): string => plain(text.replace(/\s+/g, ' ')).trim();

/**
 * Serializes JSON, and also escapes control characters that `JSON.stringify` does not escape but a terminal interprets.
 */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
