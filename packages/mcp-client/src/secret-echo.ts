import type { McpCredential } from './mcp-credential.ts';

/** Of a secret's end: of a token all the rest may be the same as in others. */
const PROBE_LENGTH = 24;
/** Shorter ones would be found where no secret is. */
const MIN_BASE64_LENGTH = 12;
/** Characters of base64 that a whole probe surely has for itself, wherever in a group of bytes it begins */
const BASE64_LENGTH = 28;

/**
 * Returns whether a text holds the token or key that a tool server was called with: as it is, with the escapes of JSON,
 * percent-encoded, or in base64 or base64url, by itself or within something longer. It finds what a careless server
 * repeats; a malicious one has the secret in any case, and can tell it in a way that nobody finds.
 */
export function tells(text: string, credential: McpCredential): boolean {
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
 * Only these escapes can stand for a character of a secret, which is ASCII. Most answers have others: a line break, a
 * quotation mark. It is not the backslash that is looked for, since an answer may have one for each quotation mark.
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

/** Secrets are ASCII: what is encoded otherwise is none of theirs. */
const withoutPercents = (text: string): string =>
  text.replace(/%([0-7][0-9a-fA-F])/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const IN_BASE64 = new Uint8Array(256);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IN_BASE64[char.charCodeAt(0)] = 1;

/** V8 would look the method up anew for each character, since the texts that come here are strings of many forms. */
const { charCodeAt } = String.prototype;
const isBase64At = (text: string, at: number): boolean => IN_BASE64[charCodeAt.call(text, at)] === 1;

/**
 * Returns whether a text has a word of that length in base64. Such a word covers one of the places that are looked at, so a
 * text is not read from its beginning to its end; most answers have none.
 */
function hasWord(text: string, length: number): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    let start = at;
    while (start > at - length && isBase64At(text, start)) start -= 1;
    if (start === at) continue;
    let end = at + 1;
    while (end - start <= length && isBase64At(text, end)) end += 1;
    if (end - start > length) return true;
  }
  return false;
}

/** How the end of the secret looks in base64, at each of the three places where it may begin in a group of bytes */
function base64FormsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(`  ${secret.slice(-PROBE_LENGTH)}`);
  const forms: string[] = [];
  for (const offset of [0, 1, 2]) {
    const encoded = bytes.toString('base64', 2 - offset);
    // The first group is partly what stands before, and the last one what comes after.
    const inner = encoded.slice(offset === 0 ? 0 : 4, -4);
    if (inner.length < MIN_BASE64_LENGTH) continue;
    forms.push(inner);
    if (inner.includes('+') || inner.includes('/'))
      forms.push(inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}
