import type { Caller } from '../domain/caller.ts';
import type { SessionSlots } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { rethrowOutage } from './store-outage.ts';

/** A session that a user has allowed a client of the hub's authorization server to open */
export interface ClientSession {
  readonly key: string;
  readonly clientId: string;
  readonly clientName: string | undefined;
  readonly agentId: string | undefined;
  /** Resource identifier of the URL at which its tokens are valid */
  readonly resource: string;
  /** Times in epoch milliseconds and epoch seconds */
  readonly openedAtMs: number;
  readonly endsAt: number;
}

/**
 * Lists the sessions of a user's clients that have not ended, the newest first.
 * @throws {Problem} 503 `session_store_unavailable`
 */
export type ClientSessionsOf = (
  user: Pick<Caller, 'organizationId' | 'userId'>,
) => Promise<readonly ClientSession[]>;

/** @param deps.slots slots of the sessions of clients, which list these sessions */
export function createClientSessionsOf(deps: {
  slots: Pick<SessionSlots, 'occupantsOf'>;
  store: Pick<SessionStore, 'look'>;
}): ClientSessionsOf {
  return async (user) => {
    const occupants = await deps.slots.occupantsOf(user).catch(rethrowOutage);
    const found = await Promise.all(
      occupants.map(async ({ key, openedAt }) => {
        const seen = await deps.store.look(key).catch(rethrowOutage);
        return seen && { record: seen.record, key, openedAtMs: openedAt };
      }),
    );
    return found
      .flatMap((one) => {
        if (!one?.record.grant) return [];
        const { record, key, openedAtMs } = one;
        const { clientId, clientName, resource } = one.record.grant;
        return [
          { key, clientId, clientName, agentId: record.agentId, resource, openedAtMs, endsAt: record.endsAt },
        ];
      })
      .sort((one, other) => other.openedAtMs - one.openedAtMs);
  };
}
