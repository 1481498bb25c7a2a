import { randomUUID } from 'node:crypto';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { formatScope } from '@legate/oauth';
import { notFound, validationFailed } from '@legate/service';
import { z } from 'zod';
import type { Directory } from '../directory/directory.ts';
import type { ApiAccess } from '../openid/api-access.ts';
import { shapeAccessToken, subjectOf, type TokenRules } from '../personalities/tokens.ts';
import { problem } from './problem-codes.ts';

export const AccessTokenRequest = z.strictObject({
  /** User id or e-mail address */
  user: z.string().min(1).max(254),
  client_id: z.string().min(1).max(255),
  /** The API's identifier, as registered */
  resource: z.string().min(1).max(2048),
  /** Scopes of the token. Default: all that the client may have */
  scopes: z.array(z.string().min(1).max(255)).min(1).max(100).optional(),
  /** Seconds from now. Default: as for a sign-in. A negative value yields an expired token, for tests */
  expires_in: z.number().int().min(-86_400).max(86_400).optional(),
});

const ACCESS_TOKENS_OWN =
  'The provider that mock-idp imitates (PERSONALITY) issues access tokens for its own APIs only.';

/**
 * Mints the access token (RFC 9068) that a sign-in for an API would issue, without a sign-in. @throws {Problem} 404,
 * 400
 */
export function createAccessTokenMint(deps: {
  directory: Directory;
  apiAccess: ApiAccess;
  rules: TokenRules;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
}) {
  const { directory, apiAccess, rules } = deps;
  return async (request: z.output<typeof AccessTokenRequest>) => {
    if (!rules.accessToken) throw problem('access_tokens_own', { detail: ACCESS_TOKENS_OWN });
    const [user, client, api] = await Promise.all([
      directory.findUser(request.user),
      directory.clients.find(request.client_id),
      directory.findApi(request.resource),
    ]);
    const registration = api?.clients[request.client_id];
    if (!user || !client || !api || !registration)
      throw notFound('There is no such user or client, or no API that this client may use.');
    const permitted = registration.scopes ?? api.scopes;
    const scopes = request.scopes ?? permitted;
    const refused = scopes.findIndex((scope) => !permitted.includes(scope));
    if (refused >= 0)
      throw validationFailed([
        {
          pointer: `/scopes/${refused}`,
          code: 'invalid_enum',
          detail: 'The client may not have this scope.',
        },
      ]);

    const expiresIn = request.expires_in ?? api.accessTokenTtlSeconds;
    const now = epochSeconds(deps.clock());
    const expiresAt = now + expiresIn;
    const claims = await apiAccess.extraClaims({
      audience: api.resource,
      clientId: client.clientId,
      userId: user.id,
    });
    const shaped = shapeAccessToken(rules, {
      userId: user.id,
      claims: {
        ...claims,
        iss: deps.issuer,
        sub: subjectOf(rules, { userId: user.id, clientId: client.clientId }),
        aud: api.resource,
        client_id: client.clientId,
        scope: formatScope(scopes),
        iat: Math.min(now, expiresAt - 1),
        exp: expiresAt,
        jti: randomUUID(),
      },
    });
    const accessToken = await deps.keys.sign(shaped.claims, { typ: shaped.typ });
    return { accessToken, expiresIn, scope: formatScope(scopes) };
  };
}
