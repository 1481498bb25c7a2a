import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../api/types.ts';
import { useRight, useSession } from '../../session/session.tsx';
import { type Obstacles, obstaclesOf } from './obstacles.ts';
import { ownersQuery } from './queries.ts';

/** Returns a function that finds the obstacles to changing a member. */
export function useObstacles(): (member: Member) => Obstacles {
  const { user, role } = useSession();
  const { reason } = useRight('members:write');
  // Only owners may change an owner, so that others do not need the number of owners.
  const owners = useQuery({ ...ownersQuery, enabled: role === 'owner' });
  return (member) =>
    obstaclesOf(member, {
      reader: { id: user.id, role },
      forbidden: reason,
      owners: owners.data?.pagination.total,
    });
}
