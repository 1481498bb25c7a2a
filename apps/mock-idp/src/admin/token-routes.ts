import type { SigningKeys } from '@legate/jwt';
import { parseBody } from '@legate/service';
import { Router } from 'express';
import type { Directory } from '../directory/directory.ts';
import type { ApiAccess } from '../openid/api-access.ts';
import type { TokenRules } from '../personalities/tokens.ts';
import { AccessTokenRequest, createAccessTokenMint } from './access-token.ts';
import { createIdJagMint, IdJagRequest } from './id-jag.ts';
import { createIdTokenMint, IdTokenRequest } from './id-token.ts';

/** `/id-tokens`, `/access-tokens` and `/id-jags`: issue tokens without a sign-in. For development and tests. */
export function tokenRoutes(deps: {
  directory: Directory;
  apiAccess: ApiAccess;
  rules: TokenRules;
  issuer: string;
  keys: SigningKeys;
  clock: () => Date;
  idTokenTtlSeconds: number;
}): Router {
  const mintIdToken = createIdTokenMint(deps);
  const mintAccessToken = createAccessTokenMint(deps);
  const mintIdJag = createIdJagMint(deps);
  const router = Router();

  router.post('/id-tokens', async (req, res) => {
    const { idToken, expiresIn } = await mintIdToken(parseBody(IdTokenRequest, req.body));
    res.status(201).json({ id_token: idToken, expires_in: expiresIn });
  });
  router.post('/access-tokens', async (req, res) => {
    const { accessToken, expiresIn, scope } = await mintAccessToken(parseBody(AccessTokenRequest, req.body));
    res.status(201).json({ access_token: accessToken, expires_in: expiresIn, scope });
  });
  router.post('/id-jags', async (req, res) => {
    res.status(201).json({ id_jag: await mintIdJag(parseBody(IdJagRequest, req.body)) });
  });
  return router;
}
