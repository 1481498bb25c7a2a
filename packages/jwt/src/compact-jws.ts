import { TokenRefused } from './errors.ts';

/** RFC 7515 §3.1, taken apart; nothing about it is verified. */
export interface CompactJws {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What was signed: the first two parts as they came */
  readonly signingInput: string;
  readonly signature: Buffer;
  /** The three parts as they came */
  readonly encoded: { readonly protected: string; readonly payload: string; readonly signature: string };
}

const MAX_TOKEN_LENGTH = 16_384;
// Five parts would be an encrypted token, other characters a JSON serialization.
const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/** @throws {TokenRefused} `too_large` or `malformed` */
export function parseCompactJws(token: string): CompactJws {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('too_large');
  const [, header = '', payload = '', signature = ''] = COMPACT_JWS.exec(token) ?? [];
  return {
    header: decodeObject(header),
    payload: decodeObject(payload),
    signingInput: `${header}.${payload}`,
    signature: decode(signature),
    encoded: { protected: header, payload, signature },
  };
}

function decodeObject(part: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decode(part).toString('utf8'));
  } catch {
    throw new TokenRefused('malformed'); // without the parser's message: it would quote the token
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TokenRefused('malformed');
  return value as Record<string, unknown>;
}

function decode(part: string): Buffer {
  // No bytes encode to such a length, and Buffer would drop the last character.
  if (part.length % 4 === 1) throw new TokenRefused('malformed');
  return Buffer.from(part, 'base64url');
}

/** @returns a JSON value as a part of a compact JWS; undefined members are left out */
export const encodePart = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
