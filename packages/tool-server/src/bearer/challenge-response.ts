import { type Challenge, formatBearerChallenge } from '@legate/oauth';
import { jsonAnswer, toResponse } from '../http/plain.ts';

/** The response to a request whose token is missing or insufficient (RFC 6750 §3). */
export function challengeResponse(status: 400 | 401 | 403, challenge: Challenge): Response {
  const headers = {
    'WWW-Authenticate': formatBearerChallenge(challenge),
    'Cache-Control': 'no-store',
  };
  // RFC 6750 §3.1: the challenge for a request without credentials contains no error, only how to get a token.
  if (challenge.error === undefined) return new Response(null, { status, headers });
  const body = { error: challenge.error, error_description: challenge.errorDescription };
  return toResponse(jsonAnswer(status, body, headers));
}
