import type { Credential } from './delegation.ts';

/** Of a secret's end: of a token all the rest may be the same as in others. */
const PROBE_LENGTH = 24;
/** Shorter ones would be found where no secret is. */
const MIN_BASE64_LENGTH = 12;

/**
 * Returns whether a text holds the token or key that a tool server was called with: as it is, with the escapes of JSON,
 * percent-encoded, or in base64 or base64url, by itself or within something longer. It finds what a careless server
 * repeats; a malicious one has the secret in any case, and can tell it in a way that nobody finds.
 */
export function tells(text: string, credential: Credential): boolean {
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
  return base64FormsOf(secret).some((form) => plain.includes(form));
}

/** Only these escapes can stand for a character of a secret. Most answers have others: a line break, a quotation mark. */
const mayBeEscaped = (text: string, secret: string): boolean =>
  text.includes('\\u') || text.includes('\\/') || (/["\\]/.test(secret) && text.includes('\\'));

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const withoutEscapes = (text: string): string =>
  text.replace(ESCAPE, (_all, hex: string | undefined, plain: string | undefined) =>
    hex === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Secrets are ASCII: what is encoded otherwise is none of theirs. */
const withoutPercents = (text: string): string =>
  text.replace(/%([0-7][0-9a-fA-F])/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** How the end of the secret looks in base64, at each of the three places where it may begin in a group of bytes */
function base64FormsOf(secret: string): readonly string[] {
  const probe = secret.slice(-PROBE_LENGTH);
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${' '.repeat(offset)}${probe}`).toString('base64');
    // The first group is partly what stands before, and the last one what comes after.
    const inner = encoded.slice(offset === 0 ? 0 : 4, -4);
    if (inner.length < MIN_BASE64_LENGTH) return [];
    return /[+/]/.test(inner) ? [inner, inner.replaceAll('+', '-').replaceAll('/', '_')] : [inner];
  });
}
