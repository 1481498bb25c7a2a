import { formatBearerChallenge } from '@legate/oauth';
import { Problem } from '@legate/service';

export const tokenMissing = (): Problem =>
  new Problem(401, 'token_missing', 'Unauthorized', {
    detail: "Send the user's ID token, or the handle of a session, as bearer token.",
    headers: { 'WWW-Authenticate': formatBearerChallenge({ realm: 'tool-hub' }) },
  });

export const unauthorized = (
  code: 'token_invalid' | 'token_expired' | 'session_ended' | 'signed_out',
  detail: string,
  cause?: unknown,
): Problem =>
  new Problem(401, code, 'Unauthorized', {
    detail,
    headers: {
      'WWW-Authenticate': formatBearerChallenge({
        realm: 'tool-hub',
        error: 'invalid_token',
        errorDescription: detail,
      }),
    },
    cause,
  });

/** A caller with it needs a new ID token; why it ended is in the log. */
export const sessionEnded = (): Problem =>
  unauthorized('session_ended', 'The session has ended, or there never was one. Sign in again.');

/** A caller with it needs an ID token of a later sign-in. */
export const signedOut = (): Problem =>
  unauthorized('signed_out', 'The user has signed out since this ID token was issued. Sign in again.');
