import { hash } from 'node:crypto';
import type { Caller } from '../domain/caller.ts';
import type { SessionSlots } from './session-slots.ts';
import type { SessionStore } from './session-store.ts';
import { rethrowOutage } from './store-outage.ts';

/** A session of a user, of either kind: an application has its handle, or a client has tokens for it */
export interface UserSession {
  readonly key: string;
  /** Identifies the session, and gives no access: the handle cannot be derived from it */
  readonly id: string;
  readonly clientId: string;
  readonly agentId: string | undefined;
  readonly openedAtMs: number;
  /** Epoch seconds */
  readonly usedAt: number;
  readonly endsAt: number;
  /** True if the hub renews the session's ID token */
  readonly isRenewable: boolean;
}

/**
 * Lists the sessions of a user in an organization that have not ended, the newest first.
 * @throws {Problem} 503 `session_store_unavailable`
 */
export type UserSessionsOf = (
  user: Pick<Caller, 'organizationId' | 'userId'>,
) => Promise<readonly UserSession[]>;

/** @param deps.slots of each kind of session */
export function createUserSessionsOf(deps: {
  slots: readonly Pick<SessionSlots, 'occupantsOf'>[];
  store: Pick<SessionStore, 'look'>;
}): UserSessionsOf {
  return async (user) => {
    const occupants = await Promise.all(deps.slots.map((slots) => slots.occupantsOf(user))).catch(
      rethrowOutage,
    );
    const sessions = await Promise.all(
      occupants.flat().map(async ({ key, openedAt }): Promise<readonly UserSession[]> => {
        const seen = await deps.store.look(key).catch(rethrowOutage);
        if (!seen) return [];
        const { record, usedAt } = seen;
        const { agentId, endsAt } = record;
        const about = { key, id: idOf(key), agentId, openedAtMs: openedAt, usedAt, endsAt };
        const clientId = record.grant?.clientId ?? record.clientId;
        return [{ ...about, clientId, isRenewable: record.refreshToken !== undefined }];
      }),
    );
    return sessions.flat().sort((one, other) => other.openedAtMs - one.openedAtMs);
  };
}

/** Returns 128 bits of a hash of the key, which is itself a hash of the handle. */
const idOf = (key: string): string => `hse_${hash('sha256', key, 'base64url').slice(0, 22)}`;
