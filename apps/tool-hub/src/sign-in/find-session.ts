import type { CallerSession, ExchangeToken } from '@legate/delegation';
import type { AgentId } from '@legate/ids';
import type { IsOfAnotherAgent } from '../connectors/access.ts';
import { sessionEnded, sessionNotRenewed } from '../refusals/sign-in-problems.ts';
import type { createEndSession } from './end-session.ts';
import type { ExchangeTokens } from './exchange-token.ts';
import type { EndReason } from './note-end.ts';
import type { RenewSession } from './renewal.ts';
import type { ClientGrant, SessionRecord } from './session-record.ts';
import type { SessionStore } from './session-store.ts';
import { rethrowOutage } from './store-outage.ts';

/** A session that has not ended, with a valid ID token */
export interface SessionInUse extends Pick<SessionRecord, 'userId' | 'organizationId'> {
  readonly idToken: string;
  /** Epoch seconds at which the session ends in any case */
  readonly endsAt: number;
  /** The grant of the session's client; undefined: an application has the session's handle */
  readonly grant: ClientGrant | undefined;
  /** The agent that the session is bound to */
  readonly agentId: AgentId | undefined;
  readonly session: CallerSession;
  /** The token that the identity provider exchanges; undefined: the ID token */
  readonly exchangeToken: ExchangeToken | undefined;
}

/**
 * Returns a function that finds a session for a request, and renews its ID token. A session that must not be used any
 * more is removed.
 * @throws {Problem} 401 `session_ended`, 503 `idp_unavailable` if its ID token has expired and cannot be renewed now
 */
export function createFindSession(deps: {
  store: Pick<SessionStore, 'find'>;
  removal: Pick<ReturnType<typeof createEndSession>, 'remove' | 'removeForGood'>;
  renew: RenewSession;
  exchangeTokens: Pick<ExchangeTokens, 'of'>;
  isOfAnotherAgent: IsOfAnotherAgent;
}) {
  const { store, removal } = deps;

  return async (key: string): Promise<SessionInUse> => {
    const found = await store.find(key);
    if (found.kind === 'absent') throw sessionEnded();
    const { session } = found;
    const end = async (reason: EndReason): Promise<never> => {
      await removal.removeForGood(session, reason);
      throw sessionEnded();
    };
    if (found.kind === 'ended') return end(found.reason);
    if (session.record.grant && (await deps.isOfAnotherAgent(session.record))) return end('agent_changed');
    const renewing = deps.renew(session);
    const renewal = renewing instanceof Promise ? await renewing.catch(rethrowOutage) : renewing;
    switch (renewal.kind) {
      case 'usable': {
        const { record } = renewal.session;
        const { userId, organizationId, idToken, endsAt, grant, agentId, sid, claimsMet } = record;
        const exchangeToken = deps.exchangeTokens.of(renewal.session);
        return {
          ...{ userId, organizationId, idToken, endsAt, grant, agentId },
          ...{ session: { key, sid, claimsMet }, exchangeToken },
        };
      }
      case 'ended': {
        // The session's refresh token is useless now, or was revoked meanwhile.
        await removal.remove(session, 'not_renewed', renewal.reason);
        throw sessionEnded();
      }
      case 'unavailable':
        throw sessionNotRenewed();
    }
  };
}
