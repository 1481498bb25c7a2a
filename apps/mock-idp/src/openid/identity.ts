import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/model.ts';

/** Claims of an ID token and of UserInfo besides the registered ones. */
export const IDENTITY_CLAIMS = [
  'sub',
  'organization_id',
  'roles',
  'email',
  'email_verified',
  'name',
] as const;

/**
 * The claims of a user's ID token. They do not depend on the scope: the subject token of an exchange must name the
 * organization whatever scope the application requested at sign-in.
 */
export async function identityClaims(directory: Directory, user: User) {
  const affiliation = await directory.findAffiliation(user.id);
  return {
    sub: user.id,
    email: user.email,
    email_verified: user.emailVerified,
    name: user.name,
    ...(affiliation && { organization_id: affiliation.organizationId, roles: [affiliation.role] }),
  };
}

/** Undefined for a user who is unknown or disabled: sessions and refresh tokens end there. */
export async function findActiveUser(directory: Directory, userId: string): Promise<User | undefined> {
  const user = await directory.users.find(userId);
  return user && !user.disabled ? user : undefined;
}
