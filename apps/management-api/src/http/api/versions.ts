import { type RequestHandler, Router } from 'express';
import { problem } from '../../domain/problem-codes.ts';

/** The version for requests without one (product specification, section 9). */
const LATEST = 'v1';

/**
 * Serves one router under its version and, as the latest stable one, without a version.
 * @param v1 must respond to every request, or a request would run through it twice
 */
export function versionedApi(v1: RequestHandler): Router {
  const api = Router();
  api.use((_req, res, next) => {
    res.set({ 'API-Version': LATEST, 'Cache-Control': 'private, no-cache' }).vary('Authorization');
    next();
  });
  api.use('/v1', v1);
  api.use((req, _res, next) => {
    if (!/^\/v\d+(\/|$)/i.test(req.path)) return next();
    throw problem('unsupported_version', { detail: `Use ${LATEST}, the version that this API has.` });
  });
  api.use(v1);
  return api;
}
