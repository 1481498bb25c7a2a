import { randomUUID } from 'node:crypto';
import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/model.ts';
import { idTokenClaims, type TokenRules } from '../personalities/tokens.ts';

/**
 * Returns the claims of a user's ID token. They do not depend on the scope: the subject token of an exchange must name
 * the organization, whatever scope the application requested at sign-in. `sub` is the user's id; oidc-provider replaces
 * it if the client's subjects are pairwise.
 */
export async function identityClaims(
  directory: Directory,
  rules: TokenRules,
  { user, clientId, issuer }: { readonly user: User; readonly clientId: string; readonly issuer: string },
) {
  const affiliation = await directory.findAffiliation(user.id);
  return {
    ...idTokenClaims(rules, {
      issuer,
      userId: user.id,
      email: user.email,
      emailVerified: user.emailVerified,
      name: user.name,
      organizationId: affiliation?.organizationId,
      role: affiliation?.role,
      clientId,
      tokenId: randomUUID(),
    }),
    sub: user.id,
  };
}

/** Returns undefined for a user who is unknown or disabled, which ends their sessions and refresh tokens. */
export async function findActiveUser(directory: Directory, userId: string): Promise<User | undefined> {
  const user = await directory.users.find(userId);
  return user && !user.disabled ? user : undefined;
}
