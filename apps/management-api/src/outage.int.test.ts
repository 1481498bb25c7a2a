import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { cacheVerified } from '@legate/jwt';
import { createPool, createTenantDatabase } from '@legate/postgres';
import { createRateLimiter } from '@legate/rate-limit';
import { createHealth } from '@legate/service';
import request from 'supertest';
import { createApp } from './app.ts';
import { createSecretCipher } from './catalog/connectors/secret-cipher.ts';
import { QUOTAS } from './catalog/resources/quota.ts';
import { createTestPlatform } from './testing/test-platform.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const pool = createPool({
  connection: { connectionString: 'postgres://mgmt_app@127.0.0.1:1/none' },
  applicationName: 'test',
  onError: () => undefined,
});
afterAll(() => pool.end());

let app: ReturnType<typeof createApp>;
beforeAll(() => {
  const tenants = createTenantDatabase(pool, { role: 'mgmt_app' });
  const platform = createTestPlatform({ tenants, clock });
  const limiter = createRateLimiter({ clock });
  const verifyToken = cacheVerified(
    async () => ({
      claims: {
        iss: 'i',
        sub: UserId.parse('s'),
        aud: 'a',
        exp: NOW + 60,
        iat: NOW,
        organization_id: OrganizationId.parse('org_acme'),
      },
      acceptedUntil: NOW + 60,
    }),
    { clock },
  );
  app = createApp(
    platform,
    {
      callers: {
        verifyToken,
        userClaim: 'sub',
        organizationRule: { claim: 'organization_id' },
        verifyWorkload: undefined,
      },
      transactions: undefined,
      limits: { limiter, attempts: limiter, decisions: () => () => undefined },
      fairness: { concurrentRequests: 5, userSharePercent: 50 },
      usage: { count: () => undefined },
      hub: undefined,
      memberRules: { defaultRole: 'viewer', maxMembers: 10 },
      quotas: QUOTAS,
      cipher: createSecretCipher(undefined),
      refusedAudiences: { kind: 'generic', issuer: 'https://idp.example', clientIds: [], services: [] },
      outboundAllow: [],
      lookupTxt: () => Promise.reject(new Error('not asked')),
      maxKeyDays: 366,
      onboarding: undefined,
      readSignIn: undefined,
    },
    { health: createHealth({ checks: { postgres: tenants.ping } }) },
  );
});

it('returns 503 with Retry-After and the rate limit headers while the database is down, and keeps no connection', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => request(app).get('/api/v1/sites').set('Authorization', 'Bearer t')),
  );
  for (const answer of answers) {
    expect([answer.status, answer.body.code]).toEqual([503, 'service_unavailable']);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
    expect(JSON.stringify(answer.body)).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|stack/);
  }
  expect([pool.totalCount, pool.waitingCount]).toEqual([0, 0]);
});

it('is alive but not ready while the database is down', async () => {
  expect((await request(app).get('/healthz')).status).toBe(200);
  const ready = await request(app).get('/readyz');
  expect([ready.status, ready.body]).toEqual([503, { status: 'not_ready', failed: ['postgres'] }]);
});
