import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { methodNotAllowed } from '@legate/service';
import express, { type RequestHandler, type Response, Router } from 'express';
import type { BrowserConfig } from './browser-config.ts';

/** Paths that are neither pages nor files: the endpoints of the service itself. */
const NO_PAGES = /^\/(?:bff|assets|errors|healthz|readyz|config\.json)(?:\/|$)/;

/**
 * Serves the built pages. Files with a hash in their name may be cached forever; everything else is fetched
 * each time. Each path that can be a page gets `index.html`, since the router of the pages runs in the
 * browser.
 * @param deps.webRoot folder that Vite built
 * @throws {Error} if the pages were not built
 */
export function createPages(deps: { webRoot: string; browserConfig: BrowserConfig }): Router {
  const { webRoot, browserConfig } = deps;
  const index = join(webRoot, 'index.html');
  if (!existsSync(index)) throw new Error('the pages are not built: npm run build');
  const router = Router();
  router
    .route('/config.json')
    .get((_req, res) => void res.set('Cache-Control', 'no-store').json(browserConfig))
    .all(methodNotAllowed(['GET', 'HEAD']));
  router.use(
    express.static(webRoot, {
      index: false,
      redirect: false,
      dotfiles: 'ignore',
      setHeaders: cacheHeaders(webRoot),
    }),
  );
  router.use(sendIndex(index));
  return router;
}

const cacheHeaders = (webRoot: string) => (res: Response, path: string) => {
  const isHashed = path.startsWith(join(webRoot, 'assets/'));
  res.setHeader('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
};

const sendIndex =
  (index: string): RequestHandler =>
  (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isRead || !isPagePath(req.path)) return next();
    res.sendFile(index, { headers: { 'Cache-Control': 'no-cache' }, cacheControl: false });
  };

/**
 * Matches a path whose last segment has a dot, such as a file's name: a missing file must not get a page as
 * response.
 */
const isPagePath = (path: string): boolean => !NO_PAGES.test(path) && !/\.[^/]*$/.test(path);
