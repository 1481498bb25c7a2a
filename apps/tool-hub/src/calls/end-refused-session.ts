import type { Refusal } from '@legate/delegation';
import type { Caller } from '../domain/caller.ts';
import type { Sessions } from '../sign-in/sessions.ts';

/**
 * Ends the caller's session if the identity provider no longer accepts its ID token: the user or the sign-in is gone.
 * A demand for a stronger sign-in (RFC 9470) does not end it.
 */
export async function endRefusedSession(
  sessions: Pick<Sessions, 'endIfRefused'>,
  { session, subjectToken }: Pick<Caller, 'session' | 'subjectToken'>,
  { maxAge, acrValues, connect }: Extract<Refusal, { outcome: 'expired' }>,
): Promise<void> {
  const wantsMore = maxAge !== undefined || acrValues !== undefined;
  // A missing connected account does not mean that the sign-in has ended either.
  if (session && !wantsMore && connect === undefined) await sessions.endIfRefused(session, subjectToken);
}
