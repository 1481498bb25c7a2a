import { type ClientKey, publicClientKeys } from '@legate/client-authentication';
import { GRANT_TYPE, OAuthError, wellKnownUrl } from '@legate/oauth';
import { type AuthenticationFailures, formOf, oauthErrorHandler, tokenEndpoint } from '@legate/oauth/express';
import { type Logger, type MemoryBudget, methodNotAllowed } from '@legate/service';
import cors from 'cors';
import { type RequestHandler, Router } from 'express';
import { readFormText } from '../../requests/read-form-text.ts';
import { JWKS_PATH, type OAuthPart } from './oauth-part.ts';

/** Path at which the identity provider finds our client's keys (`private_key_jwt`). These keys sign nothing else. */
export const CLIENT_JWKS_PATH = '/oauth/client-jwks.json';

export function clientKeysRoutes(keys: readonly ClientKey[]): Router {
  const router = Router();
  publish(router, CLIENT_JWKS_PATH, () => publicClientKeys(keys));
  return router;
}

/** `POST /oauth/token`, for workloads and clients without a browser, and the public documents about it */
export function oauthRoutes(deps: {
  issuer: string;
  parts: readonly OAuthPart[];
  failures: AuthenticationFailures;
  /** Limits the memory for forms of unauthenticated callers */
  memory: MemoryBudget;
  log: Logger;
}): Router {
  const grants = new Map(deps.parts.flatMap(({ grants }) => [...grants]));
  const isKnown = deps.parts.map((part) => part.isKnown).find((each) => each !== undefined);
  const router = Router();
  router.all(
    '/oauth/token',
    cors({ origin: '*', methods: ['POST'], maxAge: 7200 }),
    ...tokenEndpoint(deps.failures, {
      readText: readFormText(deps.memory),
      // Anybody can have a client, so its successful authentication proves little. Workloads, which exchange tokens,
      // are the operator's, and their users can make them send requests that are refused.
      countsRefusal: (form) => !form.all('grant_type').includes(GRANT_TYPE.tokenExchange),
      isKnown: (form, client) => isKnown?.(form, client) ?? Promise.resolve(false),
    }),
    async (req, res) => {
      const form = formOf(res);
      const answer = grants.get(form.require('grant_type'));
      if (!answer) throw new OAuthError('unsupported_grant_type', 'grant_type');
      await answer(req, res, form);
    },
  );
  router.use(oauthErrorHandler(deps.log)); // for the routes above; later routes respond with problems
  router.use(documentRoutes(deps));
  return router;
}

/** Serves the public documents: metadata (RFC 8414) and keys. They do not list workloads and services. */
function documentRoutes({ issuer, parts }: { issuer: string; parts: readonly OAuthPart[] }): Router {
  const metadata = parts
    .map(({ metadata }) => metadata)
    .reduce(merge, { issuer, token_endpoint: `${issuer}/oauth/token` });
  const jwks = parts.flatMap((part) => part.jwks ?? []);
  const router = Router();
  publish(router, new URL(wellKnownUrl(issuer, 'oauth-authorization-server')).pathname, () => metadata);
  const [keys] = jwks;
  if (keys) publish(router, JWKS_PATH, keys);
  return router;
}

function publish(router: Router, path: string, document: () => object): void {
  router
    .route(path)
    .all(publicDocument)
    .get((_req, res) => {
      res.set('Cache-Control', 'public, max-age=300').json(document());
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
}

/** Allows the revision of the protocol as a header, because SDKs send it to metadata endpoints too. */
const publicDocument: RequestHandler = cors({ origin: '*', methods: ['GET', 'HEAD'], maxAge: 7200 });

function merge(document: OAuthPart['metadata'], part: OAuthPart['metadata']): OAuthPart['metadata'] {
  const merged = { ...document, ...part };
  for (const [name, value] of Object.entries(part)) {
    const before = document[name];
    if (Array.isArray(before) && Array.isArray(value)) merged[name] = [...new Set([...before, ...value])];
  }
  return merged;
}
