import { decodeJwt, decodeProtectedHeader } from 'jose';

/** What each claim proves, in a few words, for each kind of token. */
const ID_TOKEN = {
  iss: 'the identity provider says so',
  sub: 'this user only',
  aud: 'meant for the application the user signed in to',
  organization_id: 'acting within this organization',
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
  client_id: 'by this client only: stolen, it is worthless',
  scope: 'for these scopes and no more',
  organization_id: 'within this organization',
  jti: 'once: a second use is refused',
  iat: 'issued',
  exp: 'within five minutes',
};

const ACCESS_TOKEN = {
  iss: "issued by the tool server's own token endpoint",
  sub: 'the tool runs as this user',
  aud: 'valid at this tool server only',
  client_id: 'held by the hub',
  scope: 'may do this and nothing more',
  organization_id: 'within this organization',
  idp: 'the identity provider behind the user',
  jti: 'its own name, for the audit trail',
  iat: 'issued',
  exp: 'for an hour at most',
};

const TXN_TOKEN = {
  iss: 'the hub, which took the access token for it',
  sub: 'for the same user',
  aud: 'at this one service',
  scope: 'for this one operation',
  tctx: 'in this organization, with these parameters',
  req_wl: 'by this tool server only, which proves itself beside it',
  rctx: 'on behalf of this client, to which the access token belongs',
  txn: 'the name of the transaction, in the logs of all',
  jti: 'once: a second use is refused',
  iat: 'issued',
  exp: 'within a minute',
};

export const CLAIM_TEXT = {
  idToken: ID_TOKEN,
  idJag: ID_JAG,
  accessToken: ACCESS_TOKEN,
  txnToken: TXN_TOKEN,
} as const;

export interface ExplainedToken {
  readonly header: string;
  readonly claims: readonly { readonly name: string; readonly value: string; readonly proves: string }[];
}

/** Decodes a token, without verifying it, for display: each claim with what it proves. */
export function explainToken(token: string, kind: keyof typeof CLAIM_TEXT): ExplainedToken {
  const texts: Readonly<Record<string, string>> = CLAIM_TEXT[kind];
  const payload = decodeJwt(token);
  const known = Object.keys(texts).filter((name) => payload[name] !== undefined);
  const names = [...known, ...Object.keys(payload).filter((name) => !known.includes(name))];
  return {
    header: JSON.stringify(decodeProtectedHeader(token)),
    claims: names.map((name) => ({
      name,
      value: claimValue(name, payload[name]),
      proves: texts[name] ?? 'not needed here',
    })),
  };
}

function claimValue(name: string, value: unknown): string {
  if (typeof value === 'number' && ['iat', 'exp', 'auth_time'].includes(name)) {
    return `${value} (${new Date(value * 1000).toISOString().slice(11, 19)} UTC)`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
