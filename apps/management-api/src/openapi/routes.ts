import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { type ApiDescription, describeApi } from './document.ts';

const VIEWS = fileURLToPath(new URL('../../views/reference', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** Files of Swagger UI; the rest of its package is not for browsers. */
const SERVED = ['/swagger-ui.css', '/swagger-ui-bundle.js'];

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:", // Swagger UI's icons
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The description of all `operations`, itself included, and a page to read it. */
export function descriptionOperations(operations: readonly Operation[], api: ApiDescription): Operation[] {
  const page = readFileSync(`${VIEWS}/index.html`, 'utf8');
  const own = [
    operation('getOpenApiDocument', 'get', '/openapi.json', {
      tag: 'Description',
      summary: 'Get this description',
      description: 'An OpenAPI 3.1 document. Needs no token, and is not counted.',
      access: 'public',
      responses: {
        200: {
          description: 'The document',
          schema: z.looseObject({ openapi: z.string() }),
          headers: ['ETag'],
        },
      },
      handle: () => {
        const { body, etag } = described();
        return { ...ok(body), headers: { ETag: etag } };
      },
    }),
    operation('getReference', 'get', '/docs', {
      tag: 'Description',
      summary: 'Read this description',
      description: 'For browsers. Needs no token, and is not counted.',
      access: 'public',
      responses: {
        200: {
          description: 'A page',
          schema: z.string(),
          mediaType: 'text/html',
          headers: ['Content-Security-Policy'],
        },
      },
      handle: () => ({ ...ok(page), headers: { 'Content-Security-Policy': CSP } }),
    }),
  ];
  let made: { body: ReturnType<typeof describeApi>; etag: string } | undefined;
  /** Created at the first request: that takes longer than everything else at start. */
  function described() {
    if (made) return made;
    const body = describeApi([...operations, ...own], api);
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
    made = { body, etag: `"${hash}"` };
    return made;
  }
  return own;
}

/** The scripts and styles of the page, for where it is: `/docs`. */
export function referenceFiles(): RequestHandler {
  const files = Router();
  // The page names its files as seen from `/docs`.
  files.use((req, res, next) => (/\/docs\/$/.test(req.originalUrl) ? res.redirect(308, '../docs') : next()));
  files.use(express.static(VIEWS, { index: false, redirect: false }));
  const ofSwaggerUi = express.static(SWAGGER_UI, { index: false, redirect: false });
  files.use((req, res, next) => (SERVED.includes(req.path) ? ofSwaggerUi(req, res, next) : next()));
  return files;
}
