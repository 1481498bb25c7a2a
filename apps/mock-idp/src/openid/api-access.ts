import { errors } from '@legate/authorization-server';
import { formatScope } from '@legate/oauth';
import type { Directory } from '../directory/directory.ts';
import type { AccessTokenResourceServer } from '../directory/model.ts';
import { userClaims } from '../directory/user-claims.ts';

/** Determines the contents of an access token for a registered API. */
export function createApiAccess(directory: Directory) {
  /** @throws `invalid_target` when this client may use no such API (RFC 8707 §2) */
  async function find(resource: string, clientId: string): Promise<AccessTokenResourceServer> {
    const api = await directory.findApi(resource);
    if (!api?.clients[clientId]) throw new errors.InvalidTarget('the resource is unknown or not allowed');
    return api;
  }

  return {
    /**
     * Returns the scopes for a client that requests none: all that it may have; undefined for an API that it may not
     * use.
     */
    async defaultScope(resource: string, clientId: string): Promise<string | undefined> {
      const api = await directory.findApi(resource);
      const registration = api?.clients[clientId];
      return registration && formatScope(registration.scopes ?? api.scopes);
    },

    async resourceServer(resource: string, clientId: string) {
      const api = await find(resource, clientId);
      return {
        scope: formatScope(api.clients[clientId]?.scopes ?? api.scopes),
        audience: api.resource, // as registered, however the request spells it
        accessTokenTTL: api.accessTokenTtlSeconds,
        accessTokenFormat: 'jwt' as const,
        jwt: { sign: { alg: 'RS256' as const } },
      };
    },

    /** Returns the claims besides those of RFC 9068. A machine's token has the organization of its registration. */
    async extraClaims(token: { audience: string; clientId: string; userId: string | undefined }) {
      const api = await directory.findApi(token.audience);
      if (!api) return undefined;
      if (token.userId === undefined) {
        const client = await directory.clients.find(token.clientId);
        return client?.organizationId === undefined ? {} : { organization_id: client.organizationId };
      }
      const user = await directory.users.find(token.userId);
      const affiliation = user && (await directory.findAffiliation(user.id));
      return {
        ...(affiliation && { organization_id: affiliation.organizationId }),
        ...(user && userClaims(user, affiliation, api.claims)),
      };
    },
  };
}
export type ApiAccess = ReturnType<typeof createApiAccess>;
