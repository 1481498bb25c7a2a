import type { Personality, SignedIn } from './personality.ts';

/** A user with a value for every claim that a token can contain. */
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

/** Returns the names of all claims that ID tokens may have. */
export const claimNames = ({ idToken }: Pick<Personality, 'idToken'>): string[] =>
  Object.keys(idToken(EXAMPLE));

/**
 * Returns true if ID tokens name the organization of a user who has one. Without this claim, the hub refuses ID tokens.
 */
export const namesOrganization = (personality: Personality): boolean =>
  claimNames(personality).includes(personality.organizationClaim);
