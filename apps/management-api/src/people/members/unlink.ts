import type { OrganizationId, UserId } from '@legate/ids';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { Member } from './member.ts';
import { targetOf } from './rules.ts';

/** Asks the identity provider once, in the background, to remove the author's organization from a user's tokens. */
export type Unlink = (author: Author, member: Member) => void;

/**
 * This API refuses the user regardless: a failure is only recorded, as `member.unlink_failed`.
 * @param deps.removeMembership ends it at the identity provider; resolves too if the provider has no such membership
 */
export function createUnlink(deps: {
  removeMembership: (organizationId: OrganizationId, userId: UserId) => Promise<void>;
  makeChange: MakeChange;
  onLost: (err: unknown) => void;
}): Unlink {
  const { removeMembership, makeChange, onLost } = deps;
  return (author, member) => {
    removeMembership(author.organizationId, member.user_id)
      .catch(() =>
        makeChange(author, async ({ record }) => {
          await record({
            action: 'member.unlink_failed',
            targets: [targetOf(member)],
          });
        }),
      )
      .catch(onLost);
  };
}
