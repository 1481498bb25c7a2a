import { setTimeout as delay } from 'node:timers/promises';
import { isId, type OrganizationId, type UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import { problem } from '../../domain/problem-codes.ts';
import { isServedByHub, revocationIdOf } from '../../domain/revocation-id.ts';
import { existing } from '../../domain/stored.ts';
import { statement } from '../../storage/statement.ts';
import { type Actor, refuseEscalation, roleOf, targetOf } from '../members/rules.ts';
import type { MemberStore } from '../members/store.ts';
import type { RevokeUser, UserRevocation } from './user-revocation.ts';

interface Row {
  readonly user_id: UserId;
  readonly pending: boolean;
  readonly attempts: number;
}

export type UserRevocations = ReturnType<typeof createUserRevocations>;

const REVOCATION_ID = /^rev_[0-9A-Z]{26}$/;
/** Pauses between look-ups by key: 1.5 seconds together, within which the hub usually confirms. */
const PAUSES_MS = [20, 40, 80, 160, 300, 400, 500];

/** Finds a revocation by the id of the event that caused it; it stays in the outbox until the hub confirms it. */
const FIND = statement(
  'revocation_find',
)`SELECT coalesce(m.user_id, e.targets->0->>'id') AS user_id, p.id IS NOT NULL AS pending,
  coalesce(p.attempts, 0) AS attempts
FROM audit_events e
LEFT JOIN members m ON m.organization_id = e.organization_id AND m.id = e.targets->0->>'id'
LEFT JOIN pending_revocations p ON p.organization_id = e.organization_id AND p.id = $3
WHERE e.organization_id = $1 AND e.id = $2 AND e.action = ANY ($4)`;
const ACTIONS = ['access_revoked', 'deactivated', 'denied', 'removed', 'left'].map(
  (what) => `member.${what}`,
);

export function createUserRevocations(deps: {
  tenants: TenantDatabase;
  makeChange: MakeChange;
  members: MemberStore;
  forgetStanding: (organizationId: OrganizationId, userId: UserId) => void;
  hasHub: boolean;
  clock: () => Date;
}) {
  const { tenants, makeChange, members, forgetStanding, hasHub, clock } = deps;

  /** @throws {Problem} 404 */
  async function find(organizationId: OrganizationId, id: string): Promise<UserRevocation> {
    const isPossible = REVOCATION_ID.test(id);
    const found = FIND(organizationId, id.replace(/^rev_/, 'evt_'), id, ACTIONS);
    const [row] = isPossible ? await tenants.queryAsTenant<Row>(organizationId, found) : [];
    const { user_id, pending, attempts } = existing('revocation', row);
    const status = !isServedByHub(user_id) ? 'not_served' : pending ? 'pending' : 'delivered';
    return { id, user_id, status, attempts, confirmed_at: null };
  }

  return {
    find,
    /**
     * Revokes a user's access at the hub, and waits briefly for the confirmation. The user need not be a member.
     * Earlier tokens of a member are refused here from then on.
     * @throws {Problem} 403 `role_escalation`; 404 for an unknown member; 409 `tool_hub_not_configured`
     */
    async revoke(author: Author, actor: Actor, { user_id, member_id, reason }: RevokeUser) {
      if (!hasHub) {
        throw problem('tool_hub_not_configured', {
          detail: 'This deployment has no tool hub that could end tokens or sessions.',
        });
      }
      const { event, member } = await makeChange(author, async (change) => {
        await members.lockAll(change);
        const member =
          user_id !== undefined
            ? await members.readUser(change, user_id)
            : existing(
                'member',
                member_id !== undefined && isId(member_id) && (await members.read(change, member_id)),
              );
        refuseEscalation(await roleOf(members, change, actor), member ? [member.value.role] : []);
        if (member) await members.revokeAccess(change, member.value.id, clock());
        const event = await change.record({
          action: 'member.access_revoked',
          targets: [member ? targetOf(member.value) : { type: 'user', id: user_id ?? '', name: null }],
          ...(reason !== undefined && { details: { reason } }),
        });
        return { event, member };
      });
      if (member) forgetStanding(author.organizationId, member.value.user_id);
      const id = revocationIdOf(event);
      for (const pauseMs of PAUSES_MS) {
        const now = await find(author.organizationId, id);
        if (now.status === 'delivered') return { ...now, confirmed_at: clock().toISOString() };
        if (now.status === 'not_served') return now;
        await delay(pauseMs);
      }
      return find(author.organizationId, id);
    },
  };
}
