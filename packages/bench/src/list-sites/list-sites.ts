import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { atOneAndManyConnections, type BenchPath, type Goals, type Load } from '../harness/bench-path.ts';
import { createJsonServer, listen } from '../harness/json-server.ts';
import type { Answer, Exchange } from '../harness/load.ts';
import { openServers } from '../harness/servers.ts';
import type { Program } from '../harness/target.ts';
import { createBenchDatabase } from './database.ts';
import {
  DEFAULT_LIMIT,
  GROWTH,
  organizationOf,
  POOL_SIZE,
  RESOURCE,
  SCOPE,
  SITES,
  SITES_PATH,
  siteOf,
} from './scene.ts';

export const LIST_SITES_PATH = 'GET /api/v1/sites?limit=20 of 500 sites';
export const LIST_SITES_GROWTH_PATH = 'GET /api/v1/sites as the organization grows';

const clock = () => new Date();
const WORKSPACES = new URL('../../../../', import.meta.url);
/** Number of users. Each has a token, which is sent repeatedly, as clients do. */
const USERS = 20;
/** Requests of a round, by the organization's sites: its total is counted for each of them. */
const GROWTH_REQUESTS = { 10: 200, 1000: 200, 100000: 25 } as const;

/** The first page of an organization with some hundred sites, as the console requests it. */
export function openListSitesPath(): Promise<BenchPath> {
  return open(LIST_SITES_PATH, { '1 connection': 0.8, '16 connections': 0.8 }, async (exchangesOf) =>
    atOneAndManyConnections(await exchangesOf(SITES, 0)),
  );
}

/** The first and last page of organizations from small to huge. */
export function openListSitesGrowthPath(): Promise<BenchPath> {
  return open(LIST_SITES_GROWTH_PATH, { '100,000 sites, first page': 0.6 }, async (exchangesOf) => {
    const loads: Load[] = [];
    for (const sites of GROWTH) {
      for (const offset of sites > DEFAULT_LIMIT ? [0, sites - DEFAULT_LIMIT] : [0]) {
        const name = `${sites.toLocaleString('en')} sites, ${offset === 0 ? 'first' : 'last'} page`;
        const exchanges = await exchangesOf(sites, offset);
        loads.push({ name, connections: 1, requestsPerRound: GROWTH_REQUESTS[sites], exchanges });
      }
    }
    return loads;
  });
}

async function open(
  name: string,
  goalsToFastify: Goals,
  loadsOf: (
    exchangesOf: (sites: number, offset: number) => Promise<Load['exchanges']>,
  ) => Promise<readonly Load[]>,
): Promise<BenchPath> {
  const servers = await openServers(process.env);
  const database = await createBenchDatabase(servers.databaseUrl).catch(async (err: unknown) => {
    await servers.stop();
    throw err;
  });
  const keys = await createSigningKeys({ alg: 'RS256', clock });
  let issuer = '';
  let jwksUri = '';
  const keyServer = createJsonServer(() => ({
    '/.well-known/openid-configuration': { issuer, jwks_uri: jwksUri },
    '/.well-known/jwks.json': keys.publicJwks(),
  }));
  issuer = await listen(keyServer, 0);
  jwksUri = `${issuer}/.well-known/jwks.json`;

  const own = (program: string, file: string): Program => ({
    name: program,
    file: new URL(file, import.meta.url),
    env: {
      ISSUER: issuer,
      JWKS_URI: jwksUri,
      DATABASE_URL: database.applicationUrl,
      REDIS_URL: servers.redisUrl,
    },
    readyPath: '/readyz',
  });
  const floor = own('node:http', './floor.js');
  const express = own('Express', './express-peer.js');
  const fastify = own('Fastify', './fastify-peer.js');
  const target: Program = {
    name: 'management-api',
    file: new URL('apps/management-api/dist/main.js', WORKSPACES),
    env: {
      NODE_ENV: 'development', // peers at loopback are refused in production
      LOG_LEVEL: 'warn', // floor and peers write no log either
      RESOURCE,
      IDP_ISSUER: issuer,
      DATABASE_URL: database.applicationUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      REDIS_URL: servers.redisUrl,
      CONNECTOR_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      OUTBOUND_ALLOW: 'loopback',
    },
    readyPath: '/readyz',
  };

  return {
    name,
    target,
    // Queries as the tables' owner, so no row-level security policy applies.
    floor: { ...floor, env: { ...floor.env, DATABASE_URL: database.ownerUrl } },
    peers: [{ program: express }, { program: fastify, goals: goalsToFastify }],
    loads: await loadsOf((sites, offset) => createExchanges({ keys, issuer, sites, offset })),
    async close() {
      keyServer.closeAllConnections();
      keyServer.close();
      await database.drop();
      await servers.stop();
    },
  };
}

async function createExchanges(scene: {
  keys: SigningKeys;
  issuer: string;
  sites: number;
  offset: number;
}): Promise<Load['exchanges']> {
  const { keys, issuer, sites, offset } = scene;
  const organizationId = organizationOf(sites);
  const users = Array.from({ length: USERS }, (_, i) => `user_${i}`);
  const tokens = await Promise.all(users.map((user) => signAccessToken(keys, issuer, user, organizationId)));
  const path = `${SITES_PATH}?limit=${DEFAULT_LIMIT}${offset === 0 ? '' : `&offset=${offset}`}`;
  const check = createAnswerCheck(sites, offset);
  return async (count) =>
    Array.from({ length: count }, (_, i): Exchange => {
      const authorization = `Bearer ${tokens[i % USERS]}`;
      return { method: 'GET', path, headers: { authorization }, body: null, check };
    });
}

/** Signs an access token as RFC 9068 specifies. */
function signAccessToken(
  keys: SigningKeys,
  issuer: string,
  userId: string,
  organizationId: string,
): Promise<string> {
  const now = epochSeconds(clock());
  const claims = {
    ...{ iss: issuer, sub: userId, aud: RESOURCE, iat: now, exp: now + 3600, jti: randomUUID() },
    ...{ client_id: 'console', scope: SCOPE, organization_id: organizationId },
  };
  return keys.sign(claims, { typ: 'at+jwt' });
}

/** Checks the whole body of every response; bodies that were found correct are cached. */
function createAnswerCheck(sites: number, offset: number): (answer: Answer) => string | undefined {
  const numbers = Array.from({ length: Math.min(DEFAULT_LIMIT, sites - offset) }, (_, i) => offset + i + 1);
  const expected = {
    data: numbers.map((number) => siteOf(organizationOf(sites), number)),
    pagination: {
      total: sites,
      limit: DEFAULT_LIMIT,
      offset,
      has_more: offset + numbers.length < sites,
    },
  };
  const right = new Set<string>();
  return ({ status, text }) => {
    if (status !== 200) return `status ${status}: ${text.slice(0, 200)}`;
    if (right.has(text)) return undefined;
    if (!isDeepStrictEqual(parseJson(text), expected)) return `another body: ${text.slice(0, 200)}`;
    right.add(text);
    return undefined;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
