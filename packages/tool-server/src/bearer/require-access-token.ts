import { formatBearerChallenge } from '@legate/oauth';
import type { OAuthLog } from '@legate/oauth/express';
import type { RequestHandler } from 'express';
import type { AccessTokenOutcome } from './access-token-check.ts';

/** Lets a request pass whose bearer token is good and has all `scopes`; any other is answered with a challenge. */
export function requireAccessToken(
  deps: {
    check: (authorization: string | undefined, scopes: readonly string[]) => Promise<AccessTokenOutcome>;
    log: OAuthLog;
  },
  scopes: readonly string[],
): RequestHandler {
  return async (req, res, next) => {
    const outcome = await deps.check(req.headers.authorization, scopes);
    if (outcome.kind === 'accepted') {
      req.auth = outcome.auth;
      return next();
    }
    const { status, challenge, reason } = outcome;
    deps.log.info({ status, reason, request_id: res.get('X-Request-Id') }, 'bearer token refused');
    res
      .status(status)
      .set({ 'WWW-Authenticate': formatBearerChallenge(challenge), 'Cache-Control': 'no-store' });
    // RFC 6750 §3.1: a request without credentials learns nothing but how to get some.
    if (challenge.error === undefined) res.end();
    else res.json({ error: challenge.error, error_description: challenge.errorDescription });
  };
}
