import { randomUUID } from 'node:crypto';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { formatScope, ScopeToken } from '@legate/oauth';
import { notFound, resourceUrl } from '@legate/service';
import { z } from 'zod';
import type { Directory } from '../directory/directory.ts';
import { ID_JAG_LIFETIME_SECONDS } from '../token-exchange/service.ts';

export const IdJagRequest = z.strictObject({
  /** User id or e-mail address */
  user: z.string().min(1).max(254),
  /** Resource identifier of the tool server */
  resource: resourceUrl,
  /** `aud`: issuer of the tool server's authorization server. Default: the resource */
  audience: resourceUrl.optional(),
  /** Identifier, at the tool server's authorization server, of the client that may redeem the ID-JAG */
  client_id: z.string().min(1).max(255),
  scopes: z.array(ScopeToken).min(1).max(200),
  /** Seconds from now; a negative value yields an expired ID-JAG */
  expires_in: z.number().int().min(-86_400).max(86_400).default(ID_JAG_LIFETIME_SECONDS),
  /** `typ` in the JOSE header */
  typ: z.string().min(1).max(50).default('oauth-id-jag+jwt'),
});

/**
 * Mints an ID-JAG, for tests of tool servers: also ones that no token exchange yields. No policy is asked, and the tool
 * server need not be registered. @throws {Problem} 404
 */
export function createIdJagMint(deps: {
  directory: Directory;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
}) {
  return async (request: z.output<typeof IdJagRequest>): Promise<string> => {
    const user = await deps.directory.findUser(request.user);
    if (!user) throw notFound('No such user.');
    const affiliation = await deps.directory.findAffiliation(user.id);
    const now = epochSeconds(deps.clock());
    const expiresAt = now + request.expires_in;
    return deps.keys.sign(
      {
        iss: deps.issuer,
        sub: user.id,
        aud: request.audience ?? request.resource,
        client_id: request.client_id,
        resource: request.resource,
        scope: formatScope(request.scopes),
        iat: Math.min(now, expiresAt - ID_JAG_LIFETIME_SECONDS),
        exp: expiresAt,
        jti: randomUUID(),
        ...(affiliation && { organization_id: affiliation.organizationId }),
      },
      { typ: request.typ },
    );
  };
}
