import type { McpCredential } from './mcp-target.ts';

/** Length of the compared end of a secret. Different tokens often begin with the same characters. */
const PROBE_LENGTH = 24;
/** Minimum length of a base64 form. Shorter ones would match text that is not the secret. */
const MIN_BASE64_LENGTH = 12;
/** Number of base64 characters that encode only the probe, at any offset in a byte group */
const BASE64_LENGTH = 28;

/**
 * Returns true if a text contains the token or key that a tool server was called with: literally, JSON-escaped,
 * percent-encoded, or in base64 or base64url, alone or within something longer. It catches a careless server; a
 * malicious one has the secret anyway, and can hide it.
 */
export function containsSecret(text: string, credential: McpCredential): boolean {
  switch (credential.kind) {
    case 'access_token':
      return holds(text, credential.accessToken);
    case 'api_key':
      return holds(text, credential.key);
    case 'client_certificate': // its key never leaves the process
      return false;
  }
}

function holds(text: string, secret: string): boolean {
  if (text.includes(secret)) return true;
  const plain = mayBeEscaped(text, secret) ? withoutEscapes(text) : text;
  if (plain !== text && plain.includes(secret)) return true;
  if (plain.includes('%') && withoutPercents(plain).includes(secret)) return true;
  const length = secret.length < PROBE_LENGTH ? MIN_BASE64_LENGTH : BASE64_LENGTH;
  return hasWord(plain, length) && base64FormsOf(secret).some((form) => plain.includes(form));
}

/**
 * Returns true if the text may contain an escaped character of the secret, which is ASCII: only these escapes represent one.
 * Most responses contain other escapes, of line breaks and quotation marks, so a search for a backslash would match too often.
 */
const mayBeEscaped = (text: string, secret: string): boolean =>
  text.includes('u00') ||
  (secret.includes('/') && text.includes('\\/')) ||
  (secret.includes('"') && text.includes('\\"')) ||
  (secret.includes('\\') && text.includes('\\\\'));

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const withoutEscapes = (text: string): string =>
  text.replace(ESCAPE, (_all, hex: string | undefined, plain: string | undefined) =>
    hex === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Secrets are ASCII, so other percent-encoded bytes are not part of one. */
const withoutPercents = (text: string): string =>
  text.replace(/%([0-7][0-9a-fA-F])/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const IN_BASE64 = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IN_BASE64[char.charCodeAt(0)] = 1;

/**
 * Avoids a method lookup for each character, which V8 would need because strings here have many internal
 * representations.
 */
const { charCodeAt } = String.prototype;
const isBase64At = (text: string, at: number): boolean => IN_BASE64[charCodeAt.call(text, at)] === 1;

/**
 * Returns true if a text has a base64 word of at least that length. Such a word covers one of the sampled positions, so
 * the text need not be scanned completely. Most responses have no such word.
 */
function hasWord(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    let start = at;
    while (start > at - length && isBase64At(text, start)) start -= 1;
    if (start === at) continue;
    let end = at;
    while (end - start <= length && isBase64At(text, end)) end += 1;
    if (end - start > length) return true;
  }
  return false;
}

/** The end of the secret in base64, at each of the three possible offsets in a byte group */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(`  ${secret.slice(-PROBE_LENGTH)}`);
  const forms: string[] = [];
  for (const offset of [0, 1, 2]) {
    const encoded = bytes.toString('base64', 2 - offset);
    // The first group also encodes the bytes before the secret, and the last one the bytes after it.
    const inner = encoded.slice(offset === 0 ? 0 : 4, -4);
    if (inner.length < MIN_BASE64_LENGTH) continue;
    forms.push(inner);
    if (inner.includes('+') || inner.includes('/'))
      forms.push(inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
