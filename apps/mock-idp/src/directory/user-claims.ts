import type { User, UserClaimName } from './model.ts';

/** Returns only those claims about the user that the resource server may get. */
export function userClaims(
  user: User,
  membership: { role: string } | undefined,
  names: readonly UserClaimName[],
): Record<string, string | string[]> {
  const claims: Record<UserClaimName, string | string[] | undefined> = {
    email: user.email,
    name: user.name,
    groups: user.groups,
    roles: membership && [membership.role],
  };
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = claims[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
