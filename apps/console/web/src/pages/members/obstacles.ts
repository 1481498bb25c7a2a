import type { Member, Role } from '../../api/types.ts';
import { t } from '../../text/en.ts';

interface Situation {
  readonly reader: { readonly id: string; readonly role: Role | null };
  /** Why the reader may change no member at all */
  readonly forbidden: string | undefined;
  /** Number of active owners of the organization; undefined until it is loaded */
  readonly owners: number | undefined;
}

export interface Obstacles {
  /** Why the role cannot be changed */
  readonly role: string | undefined;
  /** Why the membership cannot be ended */
  readonly end: string | undefined;
  /** Why the member can neither be reinstated nor have their access ended */
  readonly other: string | undefined;
}

/** Predicts which changes of a member the management API would refuse; the API decides. */
export function obstaclesOf(
  member: Pick<Member, 'user_id' | 'role' | 'status'>,
  { reader, forbidden, owners }: Situation,
): Obstacles {
  const other =
    forbidden ?? (member.role === 'owner' && reader.role !== 'owner' ? t.members.ownersOnly : undefined);
  const isLastOwner = member.role === 'owner' && member.status === 'active' && owners === 1;
  const role = other ?? (isLastOwner ? t.members.lastOwner : undefined);
  const end = role ?? (member.user_id === reader.id ? t.members.ownMembership : undefined);
  return { role, end, other };
}

const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;

/** Returns the roles that a reader can assign: only owners can appoint owners. */
export const rolesToGive = (reader: Role | null): readonly Role[] =>
  ROLES.filter((role) => role !== 'owner' || reader === 'owner');
