import { hash } from 'node:crypto';
import { type Evidence, shown } from '@legate/doctor';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';

/** A token of an examination, without its signature or anything else that would make it usable */
export interface Leg {
  readonly leg: 'id_token' | 'id_jag' | 'access_token';
  /** The endpoint that issued the token; undefined for the ID token, which came with the request */
  readonly endpoint: string | undefined;
  /** Undefined for a token that is not a JWT */
  readonly decoded: { readonly header: Shown; readonly claims: Shown } | undefined;
  /** Scopes of an access token, from the token response */
  readonly scopes?: readonly string[];
  /** Epoch seconds */
  readonly expiresAt?: number | undefined;
}

type Shown = Readonly<Record<string, unknown>>;

/** Called with each token as soon as the examination has obtained it */
export type OnLeg = (leg: Leg) => void;

/**
 * Members that identify one token or sign-in. They are hashed, because they would let anyone recognize it elsewhere.
 */
const HASHED = new Set(['jti', 'nonce', 'sid', 'txn', 'at_hash', 'c_hash', 's_hash']);
/** Matches a token inside a token, or a secret of ours by its prefix */
const SECRET = /(?:^|[^\w-])(?:eyJ[\w-]{8,}|l[ahrg][tsic]_[\w-]{16,})/;
const MAX_TEXT = 512;
const MAX_ITEMS = 100;
const MAX_DEPTH = 8;

/** @param token a token that has not been verified */
export function legOf(
  leg: Leg['leg'],
  token: string,
  about: Pick<Leg, 'endpoint' | 'scopes' | 'expiresAt'>,
): Leg {
  return { leg, ...about, decoded: decode(token) };
}

function decode(token: string): Leg['decoded'] {
  try {
    return { header: bounded(decodeProtectedHeader(token)), claims: bounded(decodeJwt(token)) };
  } catch {
    return undefined;
  }
}

const Members = z.record(z.string(), z.unknown());
const bounded = (members: unknown): Shown => Members.parse(boundedValue(members, '', 0));

/** Copies a peer's value, shortened for a response, and without identifiers of tokens. */
function boundedValue(value: unknown, name: string, depth: number): unknown {
  if (HASHED.has(name)) return hashed(value);
  if (typeof value === 'string') return SECRET.test(value) ? hashed(value) : cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((one) => boundedValue(one, '', depth + 1));
  const members = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(members.map(([key, one]) => [cut(key), boundedValue(one, key, depth + 1)]));
}

const hashed = (value: unknown): string =>
  `sha256:${hash('sha256', typeof value === 'string' ? value : JSON.stringify(value), 'base64url')}`;
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Converts a leg to its JSON form. */
export const legToWire = ({ leg, endpoint, decoded, scopes, expiresAt }: Leg) => ({
  leg,
  endpoint: endpoint ?? null,
  header: decoded?.header ?? null,
  claims: decoded?.claims ?? null,
  scopes: scopes ?? null,
  expires_at: expiresAt === undefined ? null : new Date(expiresAt * 1000).toISOString(),
});

/** Returns the claims of an ID-JAG that a report may show. They have not been verified. */
export function claimsOf(jwt: string): Evidence {
  try {
    const { typ } = decodeProtectedHeader(jwt);
    const { aud, resource, scope, exp } = decodeJwt(jwt);
    return {
      typ: shown(String(typ)),
      aud: shown([aud].flat().join(' ')),
      resource: shown([resource].flat().join(' ')),
      scope: shown(typeof scope === 'string' ? scope : ''),
      ...(typeof exp === 'number' && { exp }),
    };
  } catch {
    return {};
  }
}
