import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefixes of the secrets that we issue, by which people and secret scanners recognize them */
export const SECRET_TOKEN_PREFIXES = {
  invitation: 'lgi_',
  apiKey: 'lgt_',
  clientConfirmation: 'lgc_',
  agentClient: 'lgs_',
} as const;
export type SecretTokenKind = keyof typeof SECRET_TOKEN_PREFIXES;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of random characters: 190 bits */
const RANDOM_CHARACTERS = 32;
/** Number of characters of the checksum: 62^6 > 2^32 */
const CHECKSUM_CHARACTERS = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/**
 * Returns a new secret: the prefix of its kind, 32 random base62 characters, and a CRC-32 of both, so that
 * scanners can distinguish it from similar text without asking us. It is shown once: only its hash may be
 * stored.
 */
export function newSecretToken(kind: SecretTokenKind): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const text = SECRET_TOKEN_PREFIXES[kind] + random.join('');
  return text + checksumOf(text);
}

/**
 * Returns the SHA-256 under which a secret of this kind is stored and found. Undefined for any other text,
 * which then needs no query. A slow hash is not needed for 190 random bits.
 */
export function hashOfSecretToken(kind: SecretTokenKind, text: string): Buffer | undefined {
  const prefix = SECRET_TOKEN_PREFIXES[kind];
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return undefined;
  if (checksumOf(text.slice(0, -CHECKSUM_CHARACTERS)) !== text.slice(-CHECKSUM_CHARACTERS)) return undefined;
  return createHash('sha256').update(text).digest();
}

/** The CRC-32 in base62, padded to six characters */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
