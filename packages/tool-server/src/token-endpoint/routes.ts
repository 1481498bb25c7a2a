import { type FormParameters, OAuthError } from '@legate/oauth';
import {
  type AuthenticationFailures,
  formOf,
  noStore,
  refuseAfterFailures,
  tokenEndpointForm,
} from '@legate/oauth/express';
import { Router } from 'express';
import { type Endpoints, pathOf } from '../metadata/endpoints.ts';
import type { TokenResponse } from './redeem-assertion.ts';

/** `POST {resource}/oauth/token`, and an authorization endpoint that only returns an error. */
export function createTokenRoutes(deps: {
  endpoints: Endpoints;
  failures: AuthenticationFailures | undefined;
  answer: (authorization: string | undefined, form: FormParameters) => Promise<TokenResponse>;
}): Router {
  const router = Router();
  if (deps.failures) router.use(pathOf(deps.endpoints.token), refuseAfterFailures(deps.failures));
  router.all(pathOf(deps.endpoints.token), ...tokenEndpointForm(), async (req, res) => {
    res.json(await deps.answer(req.headers.authorization, formOf(res)));
  });
  // Answered here and never by a redirect: no redirect URI is registered, so each would be an open one.
  router.all(pathOf(deps.endpoints.authorization), (_req, res) => {
    noStore(res);
    throw new OAuthError('unsupported_response_type', 'authorization endpoint');
  });
  return router;
}
