import { readBearer } from '@legate/oauth';
import type { Caller } from '../domain/caller.ts';
import { tokenMissing, unauthorized } from '../refusals/sign-in-problems.ts';
import type { Sessions } from './sessions.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

/** @throws {Problem} 401, 403 or 503 */
export type VerifyCaller = (authorization: string | undefined) => Promise<Caller>;

/**
 * Identifies the caller from the Authorization header: by the user's ID token, or by the handle of a session, which
 * contains one. The token of a session is checked like any other: if the identity provider withdraws its key, or the
 * client is no longer accepted, the session ends.
 */
export function createCallerVerifier(deps: {
  verifyIdToken: VerifyIdToken;
  sessions: Pick<Sessions, 'isHandle' | 'find'>;
}): VerifyCaller {
  const { verifyIdToken, sessions } = deps;
  return async (authorization) => {
    const bearer = readBearer(authorization);
    if (bearer.kind === 'absent') throw tokenMissing();
    if (bearer.kind === 'malformed') throw unauthorized('token_invalid', 'The bearer token is malformed.');
    if (!sessions.isHandle(bearer.token)) return (await verifyIdToken(bearer.token)).caller;
    const { idToken, session } = await sessions.find(bearer.token);
    return { ...(await verifyIdToken(idToken)).caller, signIn: undefined, session };
  };
}
