import type { FollowUp } from '../changes/change.ts';
import { revocationIdOf } from '../domain/revocation-id.ts';
import type { Delivery } from './delivery.ts';
import type { Outbox } from './outbox.ts';
import { concernedBy, reasonOf } from './revocation.ts';

/**
 * Records the revocation that follows from a change within that change, and delivers it as soon as the change is
 * saved.
 */
export const createRevocationFollowUp =
  (deps: { outbox: Outbox; delivery: Pick<Delivery, 'soon'> }): FollowUp =>
  async (connection, organizationId, event, eventId) => {
    const concerned = concernedBy(event);
    if (!concerned) return undefined;
    await deps.outbox.add(connection, organizationId, concerned, reasonOf(event), revocationIdOf(eventId));
    return deps.delivery.soon;
  };
