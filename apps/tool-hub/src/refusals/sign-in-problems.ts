import { formatBearerChallenge } from '@legate/oauth';
import type { Problem } from '@legate/service';
import { outage, PROBLEMS, problem } from '../domain/problem-codes.ts';
import { CallRefused } from './call-refused.ts';
import { tokenRefusal, tokenRefused } from './token-refusals.ts';

export const tokenMissing = (): Problem =>
  problem('token_missing', {
    detail: "Send the user's ID token, or the handle of a session, as bearer token.",
    headers: { 'WWW-Authenticate': formatBearerChallenge({ realm: 'tool-hub' }) },
  });

const SIGNED_OUT = tokenRefusal('session_ended', PROBLEMS.signed_out.detail);

/** The session has ended: the caller needs a new ID token. The reason is in the log. */
export const sessionEnded = (): Problem => tokenRefused('session_ended');

/** Returns `session_ended` for a call that was running when its session ended */
export const sessionEndedMeanwhile = (): CallRefused =>
  new CallRefused({ leg: 'caller', rule: 'session_ended' }, 'session_ended', tokenRefusal('session_ended'));

/** The user has signed out: the caller needs an ID token of a later sign-in. */
export const signedOut = (): Problem => problem('signed_out', SIGNED_OUT);

/** Returns `signed_out` for a call */
export const callerSignedOut = (): CallRefused =>
  new CallRefused({ leg: 'caller', rule: 'signed_out' }, 'signed_out', SIGNED_OUT);

const TAKEN_FROM = {
  caller: 'The user has signed out, or may not act here any more. The tool may have run.',
  connector: 'An administrator has changed or disabled the connector. The tool may have run.',
} as const;

/** Refuses a call that was running when the caller lost access, or the connector changed. */
export const accessRevoked = (who: keyof typeof TAKEN_FROM): CallRefused =>
  new CallRefused({ leg: 'caller', rule: 'access_revoked' }, 'access_revoked', { detail: TAKEN_FROM[who] });

export const refreshTokenInUse = (): Problem =>
  problem('refresh_token_in_use', {
    detail: 'Another session uses this refresh token, or used it before. Sign in again to get another one.',
  });

/** The ID token of a session has expired, and the identity provider cannot renew it now. */
export const sessionNotRenewed = (): Problem =>
  outage('idp_unavailable', "The session's ID token has expired and cannot be renewed at the moment.");

export const sessionStoreUnavailable = (cause: unknown): Problem =>
  outage('session_store_unavailable', 'Sessions cannot be looked up at the moment.', cause);
