import type { OpenIdEngine } from '@legate/authorization-server';
import type { SigningKeys } from '@legate/jwt';
import { methodNotAllowed } from '@legate/service';
import { type RequestHandler, Router } from 'express';
import type { Endpoints, Members } from '../personalities/personality.ts';
import { allowAnyOrigin } from './cross-origin.ts';

const DOCUMENT = '/.well-known/openid-configuration';

/**
 * Routes of oidc-provider. Each has its method, because oidc-provider responds to an unknown method with an empty 404.
 */
export function createOpenIdRouter(deps: {
  engine: OpenIdEngine;
  keys: Pick<SigningKeys, 'publicJwks'>;
  endpoints: Endpoints;
  /** Paths of the metadata documents; all have the same content */
  metadataPaths: readonly string[];
  /** Members to add to the metadata or to replace; undefined removes a member */
  metadata: Members;
}): Router {
  const { engine, keys, endpoints } = deps;
  const toProvider: RequestHandler = (req, res) => engine.handle(req, res);
  const router = Router();

  // Our own key set, because a replaced key stays published until it expires, not only until the next start.
  router
    .route(endpoints.jwks)
    .all(allowAnyOrigin(['GET']))
    .get((_req, res) => void res.set('Cache-Control', 'public, max-age=60').json(keys.publicJwks()))
    .all(onlyGet);
  router
    .route([...deps.metadataPaths])
    .all(allowAnyOrigin(['GET']))
    .get(async (req, res) => {
      const { body } = await engine.answerDocument(req, DOCUMENT);
      res.json({ ...JSON.parse(body), ...deps.metadata }); // JSON omits undefined members
    })
    .all(onlyGet);
  router
    .route(endpoints.userinfo)
    .all(allowAnyOrigin(['GET', 'POST']))
    .get(toProvider)
    .post(toProvider)
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));
  const { authorization, endSession } = endpoints;
  const byBrowser = [authorization, `${authorization}/:uid`];
  if (endSession === undefined) {
    router.route(byBrowser).get(allowOwnScripts, takeClaimsOfAccessTokens, toProvider).all(onlyGet);
    return router;
  }
  router
    .route([...byBrowser, endSession, `${endSession}/success`])
    .get(allowOwnScripts, takeClaimsOfAccessTokens, toProvider)
    .all(onlyGet);
  router
    .route(`${endSession}/confirm`)
    .post(allowOwnScripts, toProvider)
    .all(methodNotAllowed(['POST']));
  return router;
}

const onlyGet = methodNotAllowed(['GET', 'HEAD']);

/**
 * Adds an empty `id_token` to the parameter `claims` (OpenID Connect Core §5.5) if it has only `access_token`, as the
 * challenge of a Conditional Access policy does: oidc-provider refuses it without.
 */
const takeClaimsOfAccessTokens: RequestHandler = (req, _res, next) => {
  const { pathname, searchParams } = new URL(req.url, 'http://localhost');
  const claims = parseClaims(searchParams.get('claims'));
  if (claims && !('id_token' in claims)) {
    searchParams.set('claims', JSON.stringify({ ...claims, id_token: {} }));
    req.url = `${pathname}?${searchParams}`;
  }
  next();
};

function parseClaims(text: string | null): object | undefined {
  try {
    const claims: unknown = JSON.parse(text ?? '');
    return typeof claims === 'object' && claims !== null && 'access_token' in claims ? claims : undefined;
  } catch {
    return undefined; // oidc-provider refuses it
  }
}

/**
 * Allows the script of oidc-provider's pages that submit their own form (`response_mode=form_post`, a change of
 * account): oidc-provider adds the script's digest to an existing `script-src`. `'report-sample'` allows nothing by
 * itself. The target of the form is unknown here, so `form-action` is omitted; our own pages set it.
 */
const allowOwnScripts: RequestHandler = (_req, res, next) => {
  res.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'report-sample'; frame-ancestors 'none'; base-uri 'none'",
  );
  next();
};
