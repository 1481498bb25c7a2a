import type { OpenIdEngine } from '@legate/authorization-server';
import type { SigningKeys } from '@legate/jwt';
import type { Endpoints, Members } from '@legate/personalities';
import { methodNotAllowed } from '@legate/service';
import { type RequestHandler, Router } from 'express';
import { allowAnyOrigin } from './cross-origin.ts';

const DOCUMENT = '/.well-known/openid-configuration';

/** Routes of oidc-provider. One per method, because it answers an unknown method with a bare 404. */
export function createOpenIdRouter(deps: {
  engine: OpenIdEngine;
  keys: Pick<SigningKeys, 'publicJwks'>;
  endpoints: Endpoints;
  /** Paths of the metadata documents, which have one content */
  metadataPaths: readonly string[];
  /** Members that are added to the metadata, replaced, or (undefined) removed */
  metadata: Members;
}): Router {
  const { engine, keys, endpoints } = deps;
  const toProvider: RequestHandler = (req, res) => engine.handle(req, res);
  const router = Router();

  // Ours, because a key that has been replaced is published until its time is over, not until the next start.
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
      res.json({ ...JSON.parse(body), ...deps.metadata }); // JSON leaves out what is undefined
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
    router.route(byBrowser).get(allowOwnScripts, toProvider).all(onlyGet);
    return router;
  }
  router
    .route([...byBrowser, endSession, `${endSession}/success`])
    .get(allowOwnScripts, toProvider)
    .all(onlyGet);
  router
    .route(`${endSession}/confirm`)
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
