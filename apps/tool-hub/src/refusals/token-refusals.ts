import { formatBearerChallenge } from '@legate/oauth';
import { Problem, type ProblemOptions } from '@legate/service';
import { type HubProblemCode, PROBLEMS, problem } from '../domain/problem-codes.ts';

interface Row {
  readonly code: HubProblemCode;
  /** Fixed text for all tokens, so that it neither repeats nor confirms the content of a token */
  readonly text: string;
}

/**
 * Reasons why a bearer token is refused with 401, in the order of the checks. The reason is part of the API, as the
 * member `reason`. Its text is the `error_description` (RFC 6750 §3), and may change.
 */
const TOKEN_REFUSALS = {
  malformed: {
    code: 'token_invalid',
    text: "The bearer token cannot be parsed: it is not a JWT in compact form, or it is too long. Send the user's ID token as the identity provider issued it.",
  },
  unknown: {
    code: 'token_invalid',
    text: "The bearer token is neither a JWT nor a token of this hub, or it has expired. Send the user's ID token, or get a new access token.",
  },
  wrong_endpoint: {
    code: 'token_invalid',
    text: 'The access token was issued for another endpoint of this hub. Get one for the resource in the metadata of this endpoint.',
  },
  wrong_type: {
    code: 'token_invalid',
    text: 'A bearer token of this kind is not accepted here. No endpoint of this hub accepts an access token of another server, an ID-JAG, a logout token or a refresh token.',
  },
  untrusted_signature: {
    code: 'token_invalid',
    text: "The bearer token is not signed with a key of this hub's identity provider. Sign in there.",
  },
  wrong_audience: {
    code: 'token_invalid',
    text: 'The ID token was issued to another client. Sign in with a client that this hub accepts.',
  },
  expired: {
    code: 'token_expired',
    text: 'The ID token has expired. Sign in again.',
  },
  not_yet_valid: {
    code: 'token_invalid',
    text: 'The ID token is not valid yet. An operator should compare the clocks of the identity provider and this hub.',
  },
  too_long_lived: {
    code: 'token_invalid',
    text: 'The lifetime of the ID token is longer than this hub accepts. An operator can shorten it at the identity provider.',
  },
  no_organization: {
    code: 'organization_id_required',
    text: 'The ID token does not name an organization.',
  },
  session_ended: {
    code: 'session_ended',
    text: PROBLEMS.session_ended.detail,
  },
} as const satisfies Record<string, Row>;

export type TokenRefusalReason = keyof typeof TOKEN_REFUSALS;

/** @param cause for the log */
export function tokenRefused(reason: TokenRefusalReason, cause?: unknown): Problem {
  const { code, text } = TOKEN_REFUSALS[reason];
  return problem(code, { ...tokenRefusal(reason, text), cause });
}

/**
 * A required claim is missing or has an unusable value. The identity provider has signed the token, so the caller
 * cannot correct it.
 * @param names names of the claims, as in our profile
 */
export function claimsRefused(names: readonly string[], cause: unknown): Problem {
  const which = names.length === 1 ? `The claim ${names[0]}` : `Each of the claims ${names.join(', ')}`;
  const text = `${which} of the ID token is missing, or has a value that this hub cannot use. An administrator of the identity provider must correct it. Signing in again does not help.`;
  return withClaims('malformed', text, names, cause);
}

/**
 * A claim makes the ID token look like an access token.
 * @param name of the claim, one of `ACCESS_TOKEN_MARKS`
 */
export function markRefused(name: string, cause: unknown): Problem {
  const text = `The claim ${name} marks the bearer token as an access token. Send the user's ID token. If the identity provider also puts this claim into ID tokens, an operator can allow it with ID_TOKEN_ALLOWED_CLAIMS.`;
  return withClaims('wrong_type', text, [name], cause);
}

/** @param claim of the organization rule; the ID token has no value for it */
export const organizationMissing = (claim: string): Problem =>
  problem(
    TOKEN_REFUSALS.no_organization.code,
    tokenRefusal(
      'no_organization',
      `The ID token has no claim ${claim}, or an empty one; it names the organization (ORGANIZATION_RULE). Sign in for an organization, if the identity provider lets you choose one. Otherwise an administrator there must add the claim.`,
    ),
  );

/** @param claim of the organization rule; it has no value of the rule's map */
export const organizationUnmapped = (claim: string): Problem =>
  problem(
    TOKEN_REFUSALS.no_organization.code,
    tokenRefusal(
      'no_organization',
      `The claim ${claim} of the ID token is there, but its value is not in the map of ORGANIZATION_RULE. An operator of this hub can add it.`,
    ),
  );

/** @param name claim that contains a client which this hub does not accept */
export const audienceRefused = (name: 'aud' | 'azp', cause: unknown): Problem =>
  withClaims(
    'wrong_audience',
    `The claim ${name} of the ID token names another client. Sign in with a client that this hub accepts.`,
    [name],
    cause,
  );

function withClaims(
  reason: TokenRefusalReason,
  text: string,
  claims: readonly string[],
  cause: unknown,
): Problem {
  const { extensions, ...refusal } = tokenRefusal(reason, text);
  return problem('token_invalid', { ...refusal, extensions: { ...extensions, claims }, cause });
}

/** Returns the claims that a refusal of a token names. */
export function claimsAtFault(err: Problem): readonly string[] {
  const { claims } = err.extensions;
  return Array.isArray(claims) ? claims.filter((name): name is string => typeof name === 'string') : [];
}

/** Returns the members that every refusal of a token has. */
export const tokenRefusal = (
  reason: TokenRefusalReason,
  detail: string = TOKEN_REFUSALS[reason].text,
): ProblemOptions => ({
  detail,
  headers: {
    'WWW-Authenticate': formatBearerChallenge({
      realm: 'tool-hub',
      error: 'invalid_token',
      errorDescription: detail,
    }),
  },
  extensions: { reason },
});

/** Returns the reason why an error refuses a bearer token; undefined for any other error. */
export function tokenRefusalReason(err: unknown): TokenRefusalReason | undefined {
  if (!(err instanceof Problem) || err.status !== 401) return undefined;
  const { reason } = err.extensions;
  return isReason(reason) ? reason : undefined;
}

const isReason = (value: unknown): value is TokenRefusalReason =>
  typeof value === 'string' && Object.hasOwn(TOKEN_REFUSALS, value);
