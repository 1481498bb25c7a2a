import type { Logger } from '@legate/service';
import type { Session } from '../sessions/session-record.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { IdentityProvider } from '../sign-in/identity-provider.ts';
import type { Upstreams } from '../upstream/upstream.ts';

export type SignOut = ReturnType<typeof createSignOut>;

export function createSignOut(deps: {
  publicUrl: string;
  sessions: Pick<Sessions, 'remove' | 'endOfUser'>;
  identityProvider: Pick<IdentityProvider, 'revoke' | 'signOutUrl'>;
  upstreams: Upstreams;
  renewIfDue: (session: Session) => Promise<Session>;
  log: Logger;
}) {
  const { sessions, identityProvider, log } = deps;
  const signedOutPage = `${deps.publicUrl}/signed-out`;

  /**
   * Tries to revoke the refresh token. A failure is ignored: the session has ended, and without it nobody can
   * use the token.
   */
  async function revoke({ record }: Session): Promise<void> {
    const { refreshToken } = record.tokens;
    if (refreshToken === undefined) return;
    await identityProvider
      .revoke(refreshToken)
      .catch((err: unknown) => log.warn({ err }, 'a refresh token was not revoked'));
  }

  async function end(session: Session): Promise<void> {
    await sessions.remove(session);
    await revoke(session);
  }

  /** Returns the address of the identity provider's sign-out page, or of ours if the provider does not answer. */
  const continueTo = async (): Promise<string> =>
    (await identityProvider.signOutUrl(signedOutPage).catch(() => undefined)) ?? signedOutPage;

  async function endAtHub(
    session: Session,
    headers: Record<string, string>,
  ): Promise<'ended' | 'unreachable'> {
    try {
      const renewed = await deps.renewIfDue(session);
      const request = { upstream: 'hub', method: 'DELETE', path: '/tokens', headers } as const;
      const { status } = await deps.upstreams.ask(request, renewed);
      if (status === 204) return 'ended';
      log.warn({ status }, 'sign-out: the hub refused');
    } catch (err) {
      log.warn({ err }, 'sign-out: the hub did not respond');
    }
    return 'unreachable';
  }

  return {
    end,
    async here(session: Session): Promise<{ continue_to: string }> {
      await end(session);
      return { continue_to: await continueTo() };
    },
    /** Asks the hub first: agents that act as this user matter more than the session of this browser. */
    async everywhere(session: Session, headers: Record<string, string>) {
      const hub = await endAtHub(session, headers);
      for (const ended of await sessions.endOfUser(session.record.userId)) await revoke(ended);
      return { continue_to: await continueTo(), hub };
    },
  };
}
