import { readBearer } from '@legate/oauth';
import type { Caller } from '../domain/caller.ts';
import { tokenMissing, unauthorized } from '../refusals/sign-in-problems.ts';
import type { Sessions } from './sessions.ts';
import type { VerifyIdToken } from './verify-id-token.ts';

/** @throws {Problem} 401, 403 or 503 */
export type VerifyCaller = (authorization: string | undefined) => Promise<Caller>;

/**
 * Finds out who calls, from the Authorization header: by the user's ID token, or by the handle of a session, which holds
 * such a token. The token of a session is judged like any other: a key that the identity provider withdrew, or a client
 * that is no longer accepted, ends what was begun with it.
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
