import { TOKEN_TYPE } from '@legate/oauth';
import type { Claims } from './examination.ts';

/** What was asked for, and of whom */
export interface Asked {
  readonly issuer: string;
  readonly audience: string;
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  readonly clientId: string;
  /** `sub` of the ID token; undefined if the provider may use another one for each client */
  readonly subject: string | undefined;
  /** Claims that may name the organization, with the values of the ID token */
  readonly organization: Readonly<Record<string, unknown>>;
}

interface Given {
  /** The response of the token endpoint */
  readonly answer: Claims;
  /** Claims of the ID-JAG */
  readonly typ: unknown;
  readonly claims: Claims;
  readonly asked: Asked;
  /** Epoch seconds */
  readonly now: number;
}

/** Seconds that must be left, so that the ID-JAG can still be redeemed */
const MIN_SECONDS_LEFT = 30;

/** One rule for each member; true if it is fulfilled. What contradicts the request is a fault, what is absent is not. */
const RULES: Readonly<Record<string, (given: Given) => boolean>> = {
  issued_token_type: ({ answer }) => answer.issued_token_type === TOKEN_TYPE.idJag,
  token_type: ({ answer }) => /^(n_a|bearer)$/i.test(String(answer.token_type)),
  typ: ({ typ }) => /^(application\/)?oauth-id-jag\+jwt$/i.test(String(typ)),
  iss: ({ claims, asked }) => claims.iss === asked.issuer,
  aud: ({ claims, asked }) => isOnly(claims.aud, asked.audience),
  client_id: ({ claims }) => typeof claims.client_id === 'string' && claims.client_id !== '',
  sub: ({ claims, asked }) =>
    typeof claims.sub === 'string' && (asked.subject === undefined || claims.sub === asked.subject),
  organization: ({ claims, asked }) =>
    Object.entries(asked.organization).every(
      ([name, value]) => isAbsent(claims[name]) || isAbsent(value) || claims[name] === value,
    ),
  resource: ({ answer, claims, asked }) =>
    [answer.resource, claims.resource].every((value) => isAbsent(value) || isOnly(value, asked.resource)),
  scope: ({ answer, claims, asked }) =>
    [answer.scope, claims.scope].every((value) => isAbsent(value) || isWithin(value, asked.scopes)),
  // Without an actor token, the only agent may be our own client.
  act: ({ claims, asked }) => {
    if (isAbsent(claims.act)) return true;
    const { sub, act } = Object(claims.act);
    return sub === asked.clientId && act === undefined;
  },
  cnf: ({ claims }) => isAbsent(claims.cnf),
  exp: ({ claims, now }) => typeof claims.exp === 'number' && claims.exp - now >= MIN_SECONDS_LEFT,
};

/** Members that may be absent, and what that means */
const GAPS: readonly (readonly [name: string, isMissing: (given: Given) => boolean])[] = [
  ['"resource" in the response', ({ answer }) => isAbsent(answer.resource)],
  ['"scope" in the response', ({ answer }) => isAbsent(answer.scope)],
  ['"expires_in" in the response', ({ answer }) => isAbsent(answer.expires_in)],
  ['the claim resource', ({ claims }) => isAbsent(claims.resource)],
  ['the claim scope', ({ claims }) => isAbsent(claims.scope)],
  [
    'a claim for the organization',
    ({ claims, asked }) => Object.keys(asked.organization).every((name) => isAbsent(claims[name])),
  ],
];

/** Checks the response to a request for an ID-JAG, member by member, and lists what it leaves out. */
export function judgeIdJag(given: Given) {
  const names = Object.keys(RULES);
  const faults = names.filter((name) => !RULES[name]?.(given));
  return {
    faults,
    passed: names.filter((name) => !faults.includes(name)),
    gaps: GAPS.flatMap(([name, isMissing]) => (isMissing(given) ? [name] : [])),
  };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const isOnly = (value: unknown, expected: string | undefined): boolean => {
  const values = [value].flat();
  return values.length === 1 && expected !== undefined && values[0] === expected;
};

/** Empty `scopes`: none were requested, so any may be granted. */
const isWithin = (value: unknown, scopes: readonly string[]): boolean =>
  typeof value === 'string' &&
  (scopes.length === 0 || value.split(' ').every((scope) => scopes.includes(scope)));
