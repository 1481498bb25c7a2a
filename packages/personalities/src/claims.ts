import type { Personality, SignedIn } from './personality.ts';

/** Has everything that a token can say of a user. */
const EXAMPLE: SignedIn = {
  userId: 'user',
  email: 'user@example.com',
  emailVerified: true,
  name: 'User',
  organizationId: 'org',
  role: 'owner',
  clientId: 'client',
  tokenId: 'token',
};

/** Every claim that ID tokens may have. */
export const claimNames = ({ idToken }: Pick<Personality, 'idToken'>): string[] =>
  Object.keys(idToken(EXAMPLE));

/** Returns true if ID tokens name the organization of a user who has one. Without it the hub refuses them. */
export const namesOrganization = (personality: Personality): boolean =>
  claimNames(personality).includes(personality.organizationClaim);
