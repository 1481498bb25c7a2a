/**
 * A peer as lean as well-known libraries allow: Fastify with schemas for query and response, @fastify/jwt with its cache of
 * verified tokens, @fastify/rate-limit on Redis, pg with a prepared statement. Like the other peer, it does less than
 * the management API.
 */
import fastifyJwt, { type TokenOrHeader } from '@fastify/jwt';
import fastifyRateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyRequest } from 'fastify';
import buildGetJwks from 'get-jwks';
import { Redis } from 'ioredis';
import { createPeerDatabase } from './peer-database.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, REQUESTS_PER_MINUTE, RESOURCE, SCOPE, SITES_PATH } from './scene.ts';

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { organization_id?: string; scope?: string };
  }
}

const { PORT = '0', ISSUER = '', DATABASE_URL = '', REDIS_URL = '' } = process.env;
const database = createPeerDatabase({ url: DATABASE_URL, prepared: true });
const redis = new Redis(REDIS_URL, { connectTimeout: 500, maxRetriesPerRequest: 1 });

const jwks = buildGetJwks({ issuersWhitelist: [ISSUER] });
/** The documented example converts the key to PEM for each request; once is enough. */
const publicKeys = new Map<string, Promise<string>>();
function publicKey(token: TokenOrHeader): Promise<string> {
  const { kid = '', alg } = 'header' in token ? token.header : token;
  const known = publicKeys.get(kid);
  if (known) return known;
  const loading = jwks.getPublicKey({ kid, alg, domain: ISSUER });
  publicKeys.set(kid, loading);
  return loading;
}

const site = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    allowed_origins: { type: 'array', items: { type: 'string' } },
    created_at: { type: 'string' },
  },
};
const pagination = {
  type: 'object',
  properties: {
    total: { type: 'integer' },
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    has_more: { type: 'boolean' },
  },
};
const schema = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      offset: { type: 'integer', minimum: 0, default: 0 },
    },
  },
  response: {
    200: { type: 'object', properties: { data: { type: 'array', items: site }, pagination } },
  },
};

const app = Fastify({ logger: false });
await app.register(fastifyJwt, {
  decode: { complete: true },
  secret: (_request: FastifyRequest, token: TokenOrHeader) => publicKey(token),
  verify: {
    algorithms: ['RS256'],
    allowedIss: ISSUER,
    allowedAud: RESOURCE,
    checkTyp: 'at+jwt',
    requiredClaims: ['sub', 'exp', 'iat'],
    cache: true,
    cacheTTL: 60_000,
  },
});
await app.register(fastifyRateLimit, {
  global: false,
  hook: 'preHandler',
  max: REQUESTS_PER_MINUTE,
  timeWindow: 60_000,
  redis,
  nameSpace: 'fastify-peer',
  keyGenerator: (request) => request.user.organization_id ?? '',
});

app.get('/readyz', async () => {
  await Promise.all([database.pool.query('SELECT 1'), redis.ping()]);
  return '';
});
app.route<{ Querystring: { limit: number; offset: number } }>({
  method: 'GET',
  url: SITES_PATH,
  schema,
  config: { rateLimit: {} },
  async onRequest(request, reply) {
    await request.jwtVerify();
    if (request.user.organization_id === undefined)
      return reply.code(403).send({ error: 'organization_id_required' });
  },
  async handler(request, reply) {
    const { organization_id = '', scope = '' } = request.user;
    if (!scope.split(' ').includes(SCOPE)) return reply.code(403).send({ error: 'insufficient_permission' });
    const { limit, offset } = request.query;
    const { sites, total } = await database.list(organization_id, { limit, offset });
    const has_more = offset + sites.length < total;
    return { data: sites, pagination: { total, limit, offset, has_more } };
  },
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
