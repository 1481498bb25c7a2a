const MAX_TEXT = 500;

/** PostgreSQL stores neither U+0000 nor lone surrogates, and a claim or header may contain both. */
export function storable(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, MAX_TEXT).replace(/[\p{Cc}\p{Cs}]/gu, '');
}
