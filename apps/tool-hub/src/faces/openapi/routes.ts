import { hash } from 'node:crypto';
import { methodNotAllowed } from '@legate/service';
import { type RequestHandler, Router } from 'express';
import { describeHub } from './document.ts';
import { operationsOf } from './operations.ts';

/** `GET /openapi.json`: the description of `/api/v1`. Needs no token, and is not counted. */
export function descriptionRoutes(options: {
  publicUrl: string;
  /** The hub signs MCP clients in. */
  hasClients: boolean;
  cors: RequestHandler;
}): Router {
  let made: { text: string; etag: string } | undefined;
  const router = Router();
  router.get('/openapi.json', options.cors, (_req, res) => {
    made ??= make(options);
    res.set({ 'Cache-Control': 'no-cache', ETag: made.etag }).type('application/json').send(made.text);
  });
  router.all('/openapi.json', methodNotAllowed(['GET', 'HEAD']));
  return router;
}

/** At the first request: it takes longer than everything else at start. */
function make({ publicUrl, hasClients }: { publicUrl: string; hasClients: boolean }) {
  const text = JSON.stringify(describeHub(operationsOf({ hasClients }), { publicUrl }));
  return { text, etag: `"${hash('sha256', text, 'base64url')}"` };
}
