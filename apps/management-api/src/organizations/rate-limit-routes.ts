import { type RateLimiter, rateLimitHeaders } from '@legate/rate-limit';
import { methodNotAllowed } from '@legate/service';
import { Router } from 'express';
import { NoQuery, parseQuery } from '../api/validation.ts';
import { rateLimitSubject, throwOutage } from './admission.ts';

/** `/rate-limit`: where the caller stands. Mounted before requests are counted, so that looking costs nothing. */
export function rateLimitRoutes(deps: { limiter: RateLimiter; customPlanDefault: number }): Router {
  const router = Router();
  router
    .route('/')
    .get(async (req, res) => {
      parseQuery(NoQuery, req.query);
      throwOutage(res);
      const { key, policy, limit } = rateLimitSubject(res, deps.customPlanDefault);
      const usage = await deps.limiter.peek(key, limit);
      res.set(rateLimitHeaders(policy, usage));
      res.json({ plan: policy, limit: usage.limit, remaining: usage.remaining, reset: usage.resetAt });
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
