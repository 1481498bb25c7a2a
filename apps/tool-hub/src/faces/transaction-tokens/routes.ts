import { ASYMMETRIC_ALGORITHMS, type SigningKeys } from '@legate/jwt';
import { type FormParameters, GRANT_TYPE, wellKnownUrl } from '@legate/oauth';
import {
  type AuthenticationFailures,
  formOf,
  refuseAfterFailures,
  tokenEndpointForm,
} from '@legate/oauth/express';
import { type MemoryBudget, methodNotAllowed } from '@legate/service';
import type { TransactionTokenResponse } from '@legate/transaction-tokens';
import cors from 'cors';
import { Router } from 'express';
import { readFormText } from '../../requests/read-form-text.ts';

/** `POST /oauth/token`, where workloads come without a browser. */
export function tokenRoutes(deps: {
  failures: AuthenticationFailures;
  /** Limits the memory for forms of unauthenticated callers */
  memory: MemoryBudget;
  answer: (
    authorization: string | undefined,
    form: FormParameters,
    requestId: string | undefined,
  ) => Promise<TransactionTokenResponse>;
}): Router {
  const router = Router();
  router.all(
    '/oauth/token',
    refuseAfterFailures(deps.failures),
    ...tokenEndpointForm(readFormText(deps.memory)),
    async (req, res) => {
      const requestId = res.getHeader('X-Request-Id')?.toString();
      res.json(await deps.answer(req.headers.authorization, formOf(res), requestId));
    },
  );
  return router;
}

/** The public documents: metadata (RFC 8414) and keys. They do not say which workloads and services there are. */
export function metadataRoutes(deps: { issuer: string; signingKeys: SigningKeys }): Router {
  const { issuer, signingKeys } = deps;
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: [GRANT_TYPE.tokenExchange],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS],
  };
  const router = Router();
  const publish = (path: string, document: () => object) =>
    router
      .route(path)
      .all(cors({ origin: '*', methods: ['GET', 'HEAD'], maxAge: 7200 }))
      .get((_req, res) => void res.set('Cache-Control', 'public, max-age=300').json(document()))
      .all(methodNotAllowed(['GET', 'HEAD']));
  publish(new URL(wellKnownUrl(issuer, 'oauth-authorization-server')).pathname, () => metadata);
  publish('/.well-known/jwks.json', () => signingKeys.publicJwks());
  return router;
}
