import type { Delegations } from '@legate/delegation';
import type { Sessions } from '../sign-in/sessions.ts';

/**
 * Ends a session whose ID token the identity provider does not take for an exchange any more: its user is gone, or the
 * sign-in is. One that wants a stronger sign-in says how (RFC 9470), and goes on.
 */
export function endWhatIsRefused(
  delegations: Delegations,
  sessions: Pick<Sessions, 'endIfRefused'>,
): Delegations {
  return {
    ...delegations,
    async obtain(caller, connector, need) {
      const obtained = await delegations.obtain(caller, connector, need);
      if (caller.session && obtained.outcome === 'expired') {
        const wantsMore = obtained.maxAge !== undefined || obtained.acrValues !== undefined;
        // A missing connected account does not mean that the sign-in has ended either.
        if (!wantsMore && obtained.connect === undefined)
          await sessions.endIfRefused(caller.session, caller.subjectToken);
      }
      return obtained;
    },
  };
}
