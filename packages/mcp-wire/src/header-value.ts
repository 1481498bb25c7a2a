/** Matches a value that needs no encoding in a header: visible ASCII, with blanks inside. */
const PLAIN = /^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/;
const ENCODED = /^=\?base64\?(.*)\?=$/i;

/** Returns true for a value that needs no encoding in a header. */
export const isHeaderValue = (value: string): boolean => PLAIN.test(value);

/** Encodes a value as `=?base64?…?=` if a header cannot contain it, or if it looks like the encoded form. */
export function encodeHeaderValue(value: string): string {
  if (isHeaderValue(value) && !ENCODED.test(value)) return value;
  return `=?base64?${toBase64(new TextEncoder().encode(value))}?=`;
}

/**
 * Reads the value of an `Mcp-*` header.
 * @returns undefined if an encoded value is not the canonical base64 of a UTF-8 string (RFC 4648 §3.5): two readers
 * must not decode it to different values
 */
export function decodeHeaderValue(value: string): string | undefined {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return value;
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
    if (toBase64(bytes) !== encoded) return undefined;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
