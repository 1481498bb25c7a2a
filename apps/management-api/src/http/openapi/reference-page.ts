import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createViewsIn } from '@legate/service';
import express, { type RequestHandler, Router } from 'express';
import type { ReferenceSignIn } from './reference-sign-in.ts';

const VIEWS = fileURLToPath(new URL('../../../views/reference', import.meta.url));
/** The directory of scripts, styles, and the page to which a sign-in returns */
const FILES = `${VIEWS}/files`;
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The files of Swagger UI that browsers load; the rest of its package is not served. */
const SERVED = ['/swagger-ui.css', '/swagger-ui-bundle.js'];

/** @param connect origins that the page may send requests to, besides its own */
const policyOf = (connect: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:", // Swagger UI's icons
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Renders the page on which people read and try the API. */
export function createReferencePage(resource: string) {
  const views = createViewsIn(VIEWS);
  return (signIn: ReferenceSignIn | undefined): { html: string; policy: string } => ({
    html: views.render('page', { resource, clientId: signIn?.clientId }),
    policy: policyOf(signIn ? [new URL(signIn.tokenUrl).origin] : []),
  });
}

/** Serves the files of the page at `/docs`. */
export function referenceFiles(): RequestHandler {
  const files = Router();
  // The page refers to its files relative to `/docs`.
  files.use((req, res, next) => (/\/docs\/$/.test(req.originalUrl) ? res.redirect(308, '../docs') : next()));
  const setHeaders: NonNullable<Parameters<typeof express.static>[1]>['setHeaders'] = (res, path) => {
    if (path.endsWith('.html')) res.setHeader('Content-Security-Policy', policyOf([]));
  };
  files.use(express.static(FILES, { index: false, redirect: false, setHeaders }));
  const ofSwaggerUi = express.static(SWAGGER_UI, { index: false, redirect: false });
  files.use((req, res, next) => (SERVED.includes(req.path) ? ofSwaggerUi(req, res, next) : next()));
  return files;
}
