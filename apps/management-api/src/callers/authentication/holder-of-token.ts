import type { IdpAccessTokenClaims } from '@legate/jwt';
import type { Caller } from '../../domain/caller.ts';
import { CLIENT_CLAIMS } from './credential-of-token.ts';

/** Claims that a sign-in leaves in tokens: OpenID Connect Core §2, §5.1. */
const CLAIMS_OF_PEOPLE = ['email', 'auth_time', 'acr', 'amr'];

/** Prefix of the user name that Keycloak gives to the user of a client. */
const CLIENT_USER_PREFIX = 'service-account-';

/**
 * Returns whether a token was issued to a client for itself (RFC 6749 §4.4) or to a person, as far as its claims
 * show: providers have no common claim for it.
 * @see docs/reference/identity-providers.md#machines
 */
export function holderOf(claims: IdpAccessTokenClaims): Caller['looksLike'] {
  const { sub, azp, gty, idtyp, preferred_username: username } = claims;
  const isPersonal = CLAIMS_OF_PEOPLE.some((name) => claims[name] !== undefined);
  const clients = CLIENT_CLAIMS.map((name) => claims[name]);
  // RFC 9068 §2.2, which Okta, WorkOS and mock-idp implement
  if (!isPersonal && clients.includes(sub)) return 'machine';
  if (gty === 'client-credentials' && sub === `${azp}@clients`) return 'machine'; // Auth0
  if (idtyp === 'app') return 'machine'; // Entra ID
  const isClientUser = typeof username === 'string' && username.startsWith(CLIENT_USER_PREFIX);
  if (isClientUser && clients.some((client) => client !== undefined)) return 'machine';
  return isPersonal ? 'person' : undefined;
}
