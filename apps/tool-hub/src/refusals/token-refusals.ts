import { formatBearerChallenge } from '@legate/oauth';
import { Problem, type ProblemOptions } from '@legate/service';
import { type HubProblemCode, problem } from './problem-codes.ts';

interface Row {
  readonly code: HubProblemCode;
  /** The same for every token: it neither repeats nor confirms what a token says. */
  readonly text: string;
}

/**
 * Why a bearer token is refused with 401, in the order in which it is judged. A reason is part of the API: it is the
 * member `reason`, and its text the `error_description` (RFC 6750 §3). Its text may change.
 */
const TOKEN_REFUSALS = {
  malformed: {
    code: 'token_invalid',
    text: "The bearer token cannot be read: it is not a JWT in compact form, or a claim of it is missing or malformed. Send the user's ID token as the identity provider issued it.",
  },
  unknown: {
    code: 'token_invalid',
    text: "The bearer token is neither a JWT nor one of this hub, or its time is over. Send the user's ID token, or get a new access token.",
  },
  wrong_endpoint: {
    code: 'token_invalid',
    text: 'The access token is for another address of this hub. Get one for the resource that the metadata of this address name.',
  },
  wrong_type: {
    code: 'token_invalid',
    text: 'A bearer token of this kind is not accepted here. An access token of another server, an ID-JAG, a logout token or a refresh token is accepted nowhere at this hub.',
  },
  untrusted_signature: {
    code: 'token_invalid',
    text: "The bearer token is not signed by this hub's identity provider with one of its keys. Sign in there.",
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
    text: 'The ID token is not valid yet. An operator should compare the clocks of the identity provider and of this hub.',
  },
  too_long_lived: {
    code: 'token_invalid',
    text: 'The ID token lives longer than this hub accepts. An operator can shorten its lifetime at the identity provider.',
  },
  no_organization: {
    code: 'organization_id_required',
    text: 'The ID token names no organization. Sign in for an organization.',
  },
  session_ended: {
    code: 'session_ended',
    text: 'The session has ended, or there never was one. Sign in again.',
  },
} as const satisfies Record<string, Row>;

export type TokenRefusalReason = keyof typeof TOKEN_REFUSALS;

/** @param cause for the log */
export function tokenRefused(reason: TokenRefusalReason, cause?: unknown): Problem {
  const { code, text } = TOKEN_REFUSALS[reason];
  return problem(code, { ...tokenRefusal(reason, text), cause });
}

/** The members that every refusal of a token has. */
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

/** Returns why an error refuses a bearer token; undefined if it does not. */
export function tokenRefusalReason(err: unknown): TokenRefusalReason | undefined {
  if (!(err instanceof Problem) || err.status !== 401) return undefined;
  const { reason } = err.extensions;
  return isReason(reason) ? reason : undefined;
}

const isReason = (value: unknown): value is TokenRefusalReason =>
  typeof value === 'string' && Object.hasOwn(TOKEN_REFUSALS, value);
