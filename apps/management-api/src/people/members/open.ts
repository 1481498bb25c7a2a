import type { UserId } from '@legate/ids';
import type { Standings } from '../../callers/standing/standings.ts';
import type { Change } from '../../changes/change.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import { createKeepingOut } from './keeping-out.ts';
import { keepingOutOperations } from './keeping-out-routes.ts';
import { memberOperations } from './routes.ts';
import { createMembers } from './service.ts';
import { createMemberStore, type MemberStore } from './store.ts';
import type { Unlink } from './unlink.ts';

export function openMembers(
  { tenants, clock }: Platform,
  parts: {
    standings: Standings;
    /** Maximum number of rows of an organization, including members without access */
    maxMembers: number;
    /** Called within each change that ends an active membership. */
    onEnded: (change: Change, userId: UserId) => Promise<void>;
    /** undefined if the identity provider has no admin API */
    unlink: Unlink | undefined;
    hasHub: boolean;
  },
): {
  readonly store: MemberStore;
  /** Returns true for a user who is a member, or whose access was denied. */
  readonly isMember: (change: Change, userId: UserId) => Promise<boolean>;
  readonly operations: Operation[];
} {
  const { standings, maxMembers, onEnded, unlink, hasHub } = parts;
  const store = createMemberStore(tenants);
  const keepingOut = createKeepingOut({ store, maxMembers, onEnded, clock });
  return {
    store,
    async isMember(change, userId) {
      const member = await store.readUser(change, userId);
      return member !== undefined && member.value.status !== 'removed';
    },
    operations: [
      // Before the others, whose /members/{member_id} would match /members/deny
      ...keepingOutOperations({ keepingOut, standings, unlink, hasHub }),
      ...memberOperations({ members: createMembers({ store }), standings }),
    ],
  };
}
