import { randomUUID } from 'node:crypto';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { notFound } from '@legate/service';
import { z } from 'zod';
import type { Directory } from '../directory/directory.ts';
import { identityClaims } from '../openid/identity.ts';
import { subjectOf, type TokenRules } from '../personalities/tokens.ts';

export const IdTokenRequest = z.strictObject({
  /** User id or e-mail address */
  user: z.string().min(1).max(254),
  client_id: z.string().min(1).max(255),
  /** Seconds from now. Default: as for a sign-in. A negative value yields an expired token, for tests */
  expires_in: z.number().int().min(-86_400).max(86_400).optional(),
});

/** Mints the ID token that a sign-in would issue, without a sign-in. For tests. @throws {Problem} 404 */
export function createIdTokenMint(deps: {
  directory: Directory;
  rules: TokenRules;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
  /**
   * Mints an ID-JAG for tests of tool servers, including one that no token exchange would issue: policies are not
   * checked, and the tool server need not be registered. @throws {Problem} 404
   */
  idTokenTtlSeconds: number;
}) {
  return async (request: z.output<typeof IdTokenRequest>) => {
    const expiresIn = request.expires_in ?? deps.idTokenTtlSeconds;
    const [user, client] = await Promise.all([
      deps.directory.findUser(request.user),
      deps.directory.clients.find(request.client_id),
    ]);
    if (!user || !client) throw notFound('No such user or client.');
    const { clientId } = client;
    const now = epochSeconds(deps.clock());
    const expiresAt = now + expiresIn;
    const idToken = await deps.keys.sign(
      {
        ...(await identityClaims(deps.directory, deps.rules, { user, clientId, issuer: deps.issuer })),
        sub: subjectOf(deps.rules, { userId: user.id, clientId }),
        iss: deps.issuer,
        aud: clientId,
        iat: Math.min(now, expiresAt - 1),
        exp: expiresAt,
        jti: randomUUID(), // makes two tokens issued in the same second differ
      },
      { typ: 'JWT' },
    );
    return { idToken, expiresIn };
  };
}
