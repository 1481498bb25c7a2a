// Does not import `jose` itself, because a command-line program loads this file at each start.
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';

/** Short texts that explain what each claim proves, by kind of token. */
const ID_TOKEN = {
  iss: 'the identity provider says so',
  sub: 'this user only',
  aud: 'meant for the application the user signed in to',
  organization_id: 'acting within this organization',
  org_id: 'acting within this organization (Auth0, WorkOS)',
  tid: 'acting within this tenant (Entra ID)',
  hd: 'acting within this domain (Google)',
  oid: 'the same user at every application of the tenant',
  azp: 'asked for by this application',
  roles: 'with this role there',
  email: 'how people know the user',
  email_verified: 'whether the address was verified',
  name: 'the name of the user',
  nonce: 'answers this sign-in, not an older one',
  auth_time: 'when the password was typed',
  sid: 'this sign-in, which a sign-out ends',
  iat: 'issued',
  exp: 'valid for an hour',
};

const ID_JAG = {
  iss: 'vouched for by the identity provider',
  sub: 'still the same user',
  aud: 'redeemable at this tool server only',
  resource: 'for this resource of it only',
  client_id: 'usable by this client only, and worthless to a thief',
  scope: 'for these scopes and no more',
  organization_id: 'within this organization',
  tenant: 'within this tenant of the identity provider',
  aud_sub: 'this account at the tool server',
  aud_tenant: 'within this tenant of the tool server',
  sub_id: 'the same user by another name, which proves nothing by itself',
  act: 'acting for the user',
  jti: 'once: a second use is refused',
  iat: 'issued',
  exp: 'within five minutes',
};

const ACCESS_TOKEN = {
  iss: "issued by the tool server's own token endpoint",
  sub: 'the tool runs as this user',
  aud: 'valid at this tool server only',
  client_id: 'issued to the hub',
  scope: 'may do this and nothing more',
  organization_id: 'within this organization',
  idp: 'the identity provider behind the user',
  jti: 'id of the token in the audit trail',
  iat: 'issued',
  exp: 'for an hour at most',
};

/** An access token of the identity provider for an API, such as the management API */
const API_TOKEN = {
  iss: 'the identity provider says so',
  sub: 'the API is used as this user',
  aud: 'valid at this API only',
  client_id: 'issued to this application',
  azp: 'issued to this application',
  cid: 'issued to this application',
  scope: 'may do this and nothing more',
  scp: 'may do this and nothing more',
  organization_id: 'within this organization',
  org_id: 'within this organization (Auth0, WorkOS)',
  tid: 'within this tenant (Entra ID)',
  oid: 'the same user at every application of the tenant',
  roles: 'with this role there',
  email: 'how people know the user',
  name: 'the name of the user',
  jti: 'id of the token in the audit trail',
  iat: 'issued',
  exp: 'valid until then',
};

const TXN_TOKEN = {
  iss: 'issued by the hub in exchange for the access token',
  sub: 'for the same user',
  aud: 'at this one service',
  scope: 'for this one operation',
  tctx: 'in this organization, with these parameters',
  req_wl: 'usable by this tool server only, which also authenticates itself',
  rctx: 'on behalf of this client, to which the access token belongs',
  txn: 'id of the transaction in all logs',
  jti: 'once: a second use is refused',
  iat: 'issued',
  exp: 'within a minute',
};

export const CLAIM_TEXT = {
  idToken: ID_TOKEN,
  idJag: ID_JAG,
  accessToken: ACCESS_TOKEN,
  apiToken: API_TOKEN,
  txnToken: TXN_TOKEN,
} as const;

export type TokenKind = keyof typeof CLAIM_TEXT;

/** Display names of the kinds of token */
export const TOKEN_NAME: Readonly<Record<TokenKind, string>> = {
  idToken: 'ID token',
  idJag: 'ID-JAG',
  accessToken: 'access token of a tool server',
  apiToken: 'access token of an API',
  txnToken: 'transaction token',
};

/** Claims in seconds since 1970 */
const TIMES: ReadonlySet<string> = new Set(['iat', 'exp', 'nbf', 'auth_time']);

export interface ExplainedClaim {
  readonly name: string;
  readonly value: unknown;
  /** The value as a point in time */
  readonly time: Date | undefined;
  /** Undefined for a claim that this kind of token does not need */
  readonly proves: string | undefined;
}

export interface ExplainedToken {
  readonly kind: TokenKind;
  readonly header: Readonly<Record<string, unknown>>;
  /** Explained claims first, in a fixed order */
  readonly claims: readonly ExplainedClaim[];
}

/**
 * Decodes a token, WITHOUT VERIFYING IT, for display: each claim with what it proves.
 * @param kind default: derived from the token's header and claims
 * @throws {TypeError} if the text is not a JWT
 */
export function explainToken(token: string, kind?: TokenKind): ExplainedToken {
  const { header, payload } = decode(token);
  const known = kind ?? guessKind(header, payload);
  const texts: Readonly<Record<string, string>> = CLAIM_TEXT[known];
  const explained = Object.keys(texts).filter((name) => payload[name] !== undefined);
  const names = [...explained, ...Object.keys(payload).filter((name) => !explained.includes(name))];
  return {
    kind: known,
    header,
    claims: names.map((name) => {
      const value = payload[name];
      return { name, value, time: timeOf(name, value), proves: texts[name] };
    }),
  };
}

type Json = Readonly<Record<string, unknown>>;

function decode(token: string): { header: Json; payload: Json } {
  try {
    return { header: { ...decodeProtectedHeader(token) }, payload: decodeJwt(token) };
  } catch (cause) {
    throw new TypeError('not a JWT', { cause });
  }
}

function guessKind({ typ }: Json, payload: Json): TokenKind {
  switch (typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '') {
    case 'oauth-id-jag+jwt':
      return 'idJag';
    case 'txntoken+jwt':
      return 'txnToken';
    case 'at+jwt':
      return payload.idp === undefined ? 'apiToken' : 'accessToken';
    default:
      // Many providers do not mark their access tokens; an ID token has no scope.
      return payload.scope === undefined && payload.scp === undefined ? 'idToken' : 'apiToken';
  }
}

function timeOf(name: string, value: unknown): Date | undefined {
  if (!TIMES.has(name) || typeof value !== 'number') return undefined;
  const time = new Date(value * 1000);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
