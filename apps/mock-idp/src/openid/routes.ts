import type { OpenIdEngine } from '@legate/authorization-server';
import type { SigningKeys } from '@legate/jwt';
import { methodNotAllowed } from '@legate/service';
import { type RequestHandler, Router } from 'express';
import { allowAnyOrigin } from './cross-origin.ts';

const METADATA = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
const BY_BROWSER = ['/oauth/authorize', '/oauth/authorize/:uid', '/oauth/logout', '/oauth/logout/success'];

/** Routes of oidc-provider. One per method, because it answers an unknown method with a bare 404. */
export function createOpenIdRouter(deps: {
  engine: OpenIdEngine;
  keys: Pick<SigningKeys, 'publicJwks'>;
}): Router {
  const { engine, keys } = deps;
  const toProvider: RequestHandler = (req, res) => engine.handle(req, res);
  const router = Router();

  // Ours, because a key that has been replaced is published until its time is over, not until the next start.
  router
    .route('/.well-known/jwks.json')
    .all(allowAnyOrigin(['GET']))
    .get((_req, res) => void res.set('Cache-Control', 'public, max-age=60').json(keys.publicJwks()))
    .all(onlyGet);
  router
    .route(METADATA)
    .all(allowAnyOrigin(['GET']))
    .get(toProvider)
    .all(onlyGet);
  router
    .route('/userinfo')
    .all(allowAnyOrigin(['GET', 'POST']))
    .get(toProvider)
    .post(toProvider)
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));
  router.route(BY_BROWSER).get(allowOwnScripts, toProvider).all(onlyGet);
  router
    .route('/oauth/logout/confirm')
    .post(allowOwnScripts, toProvider)
    .all(methodNotAllowed(['POST']));
  return router;
}

const onlyGet = methodNotAllowed(['GET', 'HEAD']);

/**
 * oidc-provider answers some requests with a page whose script submits its form (`response_mode=form_post`, a change of
 * account), and adds the script's digest to an existing `script-src`. `'report-sample'` allows nothing by itself. The
 * target of the form is unknown here, so there is no `form-action`; our own pages set theirs.
 */
const allowOwnScripts: RequestHandler = (_req, res, next) => {
  res.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'report-sample'; frame-ancestors 'none'; base-uri 'none'",
  );
  next();
};
