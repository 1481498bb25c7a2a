import type { OrganizationId } from '@legate/ids';
import { type Actor, actorToken, createTokenVerifier, KeysUnavailable, TokenRefused } from '@legate/jwt';
import { createIssuerKeySet, OAuthError } from '@legate/oauth';
import type { Client } from '../directory/model.ts';

/**
 * Verifies an `actor_token` (RFC 8693 §2.1): it proves which agent acts for the user, and comes from an issuer
 * registered for the client.
 * @param organizationId the user's organization; the agent must act in the same one
 * @returns `act` of the ID-JAG; undefined for a client that may not send actor tokens: its token is ignored
 * @throws {OAuthError} `invalid_request`, `temporarily_unavailable`
 * @see draft-mcguinness-oauth-actor-profile
 */
export type CheckActorToken = (
  token: string,
  client: Pick<Client, 'clientId' | 'actorIssuers'>,
  organizationId: OrganizationId | undefined,
) => Promise<Actor | undefined>;

export function createActorTokenCheck(deps: {
  issuer: string;
  getJson: (url: string) => Promise<unknown>;
  clock: () => Date;
}): CheckActorToken {
  const { issuer: audience, getJson, clock } = deps;
  const keySets = new Map<string, ReturnType<typeof createIssuerKeySet>>();

  function keysOf({ issuer, jwksUri }: Client['actorIssuers'][number]) {
    const known = keySets.get(jwksUri) ?? createIssuerKeySet({ issuer, jwksUri, getJson, clock });
    keySets.set(jwksUri, known);
    return { issuer, keys: known };
  }

  return async (token, client, organizationId) => {
    if (client.actorIssuers.length === 0) return undefined;
    const verify = createTokenVerifier(actorToken, {
      issuers: client.actorIssuers.map(keysOf),
      audience,
      clock,
    });
    const { claims } = await verify(token).catch(refuseUnlessOutage);
    // A token of another client or organization would name an agent that is unrelated to this user.
    if (claims.client_id !== client.clientId)
      throw new OAuthError('invalid_request', 'actor_token: client_id');
    if (claims.organization_id !== organizationId)
      throw new OAuthError('invalid_request', 'actor_token: organization_id');
    const { iss, sub, sub_profile } = claims;
    return { iss, sub, ...(sub_profile !== undefined && { sub_profile }) };
  };
}

function refuseUnlessOutage(err: unknown): never {
  if (err instanceof TokenRefused)
    throw new OAuthError('invalid_request', `actor_token: ${err.message}`, { cause: err });
  if (err instanceof KeysUnavailable)
    throw new OAuthError('temporarily_unavailable', `actor_token: ${err.message}`, { cause: err });
  throw err;
}
