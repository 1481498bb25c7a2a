/**
 * The implementation that most teams would write: Express, Auth0's bearer middleware, rate-limiter-flexible and pg,
 * each as its documentation shows. It has one plan for everyone and checks neither the organization's status nor the
 * user's membership, so it does less than the management API.
 */
import express, { type NextFunction, type Request, type Response } from 'express';
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { createPeerDatabase } from './peer-database.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, REQUESTS_PER_MINUTE, RESOURCE, SCOPE, SITES_PATH } from './scene.ts';

const { PORT = '0', ISSUER = '', JWKS_URI = '', DATABASE_URL = '', REDIS_URL = '' } = process.env;
const database = createPeerDatabase({ url: DATABASE_URL, prepared: false });
const redis = new Redis(REDIS_URL, { enableOfflineQueue: false });
const limiter = new RateLimiterRedis({
  storeClient: redis,
  keyPrefix: 'express-peer',
  points: REQUESTS_PER_MINUTE,
  duration: 60,
});

const Claims = z.looseObject({ organization_id: z.string() });
const Query = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: z.coerce.number().int().min(0).default(0),
});

function requireOrganization(req: Request, res: Response, next: NextFunction): void {
  const claims = Claims.safeParse(req.auth?.payload);
  if (!claims.success) return void res.status(403).json({ error: 'organization_id_required' });
  res.locals.organizationId = claims.data.organization_id;
  next();
}

async function limitRequests(_req: Request, res: Response, next: NextFunction): Promise<void> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(res.locals.organizationId);
    res.set({
      'X-RateLimit-Limit': String(REQUESTS_PER_MINUTE),
      'X-RateLimit-Remaining': String(remainingPoints),
      'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
    });
  } catch (err) {
    if (!(err instanceof RateLimiterRes)) throw err;
    res.set('Retry-After', String(Math.ceil(err.msBeforeNext / 1000)));
    return void res.status(429).json({ error: 'rate_limit_exceeded' });
  }
  next();
}

const app = express();
app.disable('x-powered-by').disable('etag');
app.get('/readyz', async (_req, res) => {
  await Promise.all([database.pool.query('SELECT 1'), redis.ping()]);
  res.end();
});
app.get(
  SITES_PATH,
  auth({ issuer: ISSUER, jwksUri: JWKS_URI, audience: RESOURCE, strict: true }),
  requireOrganization,
  limitRequests,
  requiredScopes(SCOPE),
  async (req, res) => {
    const query = Query.safeParse(req.query);
    if (!query.success) return void res.status(400).json({ error: 'validation_failed' });
    const { limit, offset } = query.data;
    const { sites, total } = await database.list(res.locals.organizationId, { limit, offset });
    const has_more = offset + sites.length < total;
    res.json({ data: sites, pagination: { total, limit, offset, has_more } });
  },
);
app.listen(Number(PORT), '127.0.0.1');
