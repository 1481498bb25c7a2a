import { randomUUID } from 'node:crypto';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { notFound } from '@legate/service';
import { z } from 'zod';
import type { Directory } from '../directory/directory.ts';
import { identityClaims } from '../openid/identity.ts';
import { subjectOf, type TokenRules } from '../personality/tokens.ts';

export const IdTokenRequest = z.strictObject({
  /** User id or e-mail address */
  user: z.string().min(1).max(254),
  client_id: z.string().min(1).max(255),
  /** Seconds from now, by default as for sign-ins; a negative value yields an expired token, for tests */
  expires_in: z.number().int().min(-86_400).max(86_400).optional(),
});

/** Mints the ID token that a sign-in would give, without the sign-in. For tests. @throws {Problem} 404 */
export function createIdTokenMint(deps: {
  directory: Directory;
  rules: TokenRules;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
  /** Lifetime of ID tokens from sign-ins */
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
        ...(await identityClaims(deps.directory, deps.rules, { user, clientId })),
        sub: subjectOf(deps.rules, { userId: user.id, clientId }),
        iss: deps.issuer,
        aud: clientId,
        iat: Math.min(now, expiresAt - 1),
        exp: expiresAt,
        jti: randomUUID(), // two tokens of one second are two tokens
      },
      { typ: 'JWT' },
    );
    return { idToken, expiresIn };
  };
}
