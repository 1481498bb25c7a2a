import { hash } from 'node:crypto';
import { methodNotAllowed } from '@legate/service';
import { type RequestHandler, Router } from 'express';
import { RULES } from '../../domain/decision.ts';

/**
 * `GET /rules`: what each rule by which a call can end means. With it, a reader of the audit trail can say why a call
 * ended as it did, after its explanation has gone. It says nothing about anybody, so it needs no token.
 */
export function ruleRoutes({ cors }: { cors: RequestHandler }): Router {
  const rules = Object.entries(RULES).flatMap(([leg, rows]) =>
    Object.entries(rows).map(([rule, { outcome, summary, remedy }]) => ({
      leg,
      rule,
      outcome,
      summary,
      remedy,
    })),
  );
  const text = JSON.stringify({ rules });
  const etag = `"${hash('sha256', text, 'base64url')}"`;
  const router = Router();
  router.get('/rules', cors, (_req, res) => {
    res.set({ 'Cache-Control': 'no-cache', ETag: etag }).type('application/json').send(text);
  });
  router.all('/rules', methodNotAllowed(['GET', 'HEAD']));
  return router;
}
