import type { User, UserClaimName } from './model.ts';

/** Returns the claims about a user that a resource server may get, and no other. */
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
