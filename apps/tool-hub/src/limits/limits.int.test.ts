import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from '../testing/scene.ts';
import { INTERNAL_PER_MINUTE } from './per-minute.ts';

let scene: Scene;
/** Calls of the limiter, which returns `isSpent` */
let asked: [key: string, limit: number][];
let spent: string | undefined;
let plans: string[];

beforeEach(async () => {
  asked = [];
  spent = undefined;
  plans = [];
  const usageOf = async (key: string, limit: number) => {
    asked.push([key, limit]);
    const exceeded = spent !== undefined && key === spent;
    return { limit, remaining: 0, resetAt: 0, resetAfterSeconds: 17, exceeded };
  };
  scene = await createScene({
    app: {
      limiter: { consume: usageOf, peek: usageOf },
      planLimiter: {
        consume: async (key, limit) => {
          plans.push(key);
          return { limit, remaining: 1, resetAt: 0, resetAfterSeconds: 1, exceeded: false };
        },
        peek: usageOf,
      },
      verifyWorkload: async () => ({ clientId: 'management-api', scopes: new Set(['internal:revocations']) }),
    },
  });
});
afterEach(() => scene.stop());

const post = async (path: string, token: string, body: object = {}) =>
  request(scene.app).post(path).set('Authorization', `Bearer ${token}`).send(body);

const REVOCATION = { organization_id: 'org_acme', connector_id: 'con_tools', reason: 'connector.updated' };

it.each<[string, string, number, string, object | undefined]>([
  ['sessions', '/api/v1/sessions', 30, '["sessions","org_acme","user_alice"]', undefined],
  [
    'links to connect an account',
    '/api/v1/connectors/con_tools/connections',
    20,
    '["links","org_acme","user_alice"]',
    undefined,
  ],
  [
    'examinations',
    '/api/v1/connectors/con_tools/doctor',
    6,
    '["examinations","org_acme","user_alice"]',
    undefined,
  ],
  [
    'revocations',
    '/internal/v1/revocations',
    INTERNAL_PER_MINUTE,
    '["service","management-api"]',
    REVOCATION,
  ],
])('limits the number of %s per minute for each caller', async (_what, path, limit, key, body) => {
  const alice = await scene.idTokenOf('user_alice');
  expect((await post(path, alice, body)).status).not.toBe(429);
  expect(asked).toEqual([[key, limit]]);
  spent = key;
  const refused = await post(path, alice, body);
  expect([refused.status, refused.body.code, refused.body.retry_after]).toEqual([
    429,
    'rate_limit_exceeded',
    17,
  ]);
  expect(refused.get('Retry-After')).toBe('17');
  expect(scene.entries.has('epoch:org_acme:con_tools:')).toBe(body !== undefined);
  if (!body) expect((await post(path, await scene.idTokenOf('user_bob'))).status).not.toBe(429);
});

it('counts a tool call once, for its organization', async () => {
  const called = await post(
    '/api/v1/connectors/con_tools/tools/whoami/call',
    await scene.idTokenOf('user_alice'),
  );
  expect([called.status, asked, plans]).toEqual([200, [], ['hub:org_acme']]);
});
