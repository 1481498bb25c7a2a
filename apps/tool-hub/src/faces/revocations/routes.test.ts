import { beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, problemHandler } from '@legate/service';
import express, { type Express } from 'express';
import request from 'supertest';
import { createRevocations } from './routes.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/** What the parts of the hub were asked to end, in order */
let called: unknown[][];
let failing: string | undefined;
let usage: { exceeded: boolean; resetAfterSeconds: number };

const recordCall =
  (what: string) =>
  async (...args: unknown[]): Promise<void> => {
    if (failing === what) throw new Error('connection refused');
    called.push([what, ...args]);
  };

beforeEach(() => {
  called = [];
  failing = undefined;
  usage = { exceeded: false, resetAfterSeconds: 7 };
});

function app(scopes = ['internal:revocations']): Express {
  const limiter = {
    consume: async (_key: string, limit: number) => ({ ...usage, limit, remaining: 0, resetAt: 0 }),
    peek: () => Promise.reject(new Error('not asked')),
  };
  const router = createRevocations({
    verifyWorkload: async () => ({ clientId: 'management-api', scopes: new Set(scopes) }),
    sessions: { endAll: recordCall('sessions') },
    cache: { revoke: recordCall('cache') },
    connections: { revoke: recordCall('consents') },
    registry: {
      of: () => Promise.reject(new Error('not asked')),
      forget: (...args) => void called.push(['registry', ...args]),
      recheckOne: (...args) => void called.push(['recheck', ...args]),
    },
    certificates: { forget: (...args) => void called.push(['connections', ...args]) },
    announce: recordCall('announced'),
    announceChange: recordCall('announced change'),
    limiter,
    clock: () => new Date('2026-11-23T09:00:00.500Z'),
    log,
  });
  return express()
    .use(router)
    .use(problemHandler({ log, typeBase: 'https://docs.example' }));
}

const ACME = { organization_id: 'org_acme' };
const revoke = (body: object, on = app()) => request(on).post('/revocations').send(body);
async function calledBy(body: object): Promise<unknown[][]> {
  const res = await revoke(body);
  expect([res.status, res.body, res.get('Cache-Control')]).toEqual([200, { revoked: true }, 'no-store']);
  return called;
}

const FIRST = [
  ['registry', 'org_acme'],
  ['connections', 'org_acme', undefined],
  ['announced', 'org_acme'],
];

it('ends everything of an organization', async () => {
  const all = { organizationId: 'org_acme' };
  expect(await calledBy({ ...ACME, reason: 'organization.suspended' })).toEqual([
    ...FIRST,
    ['sessions', all, {}],
    ['cache', all],
    ['consents', all],
  ]);
});

it.each(['member.removed', 'connector.secret_set'])(
  'ends sessions, tokens and consents of a user, whatever the reason: %s',
  async (reason) => {
    const user = { organizationId: 'org_acme', userId: 'user_alice' };
    expect(await calledBy({ ...ACME, user_id: 'user_alice', reason })).toEqual([
      ['registry', 'org_acme'],
      ['announced', 'org_acme'],
      ['sessions', user, {}],
      ['cache', user],
      ['consents', user],
    ]);
  },
);

it('refuses earlier ID tokens of a user whose access is revoked but who may still be a member', async () => {
  const [, , ended] = await calledBy({ ...ACME, user_id: 'user_alice', reason: 'member.access_revoked' });
  const signedOutAt = Date.parse('2026-11-23T09:00:01Z') / 1000;
  expect(ended).toEqual(['sessions', { organizationId: 'org_acme', userId: 'user_alice' }, { signedOutAt }]);
});

describe('of a connector', () => {
  const connector = { organizationId: 'org_acme', connectorId: 'con_tools' };
  const forgotten = [
    ['registry', 'org_acme'],
    ['connections', 'org_acme', 'con_tools'],
    ['announced', 'org_acme'],
    ['cache', connector],
  ];

  it('ends tokens, consents and running calls', async () => {
    expect(await calledBy({ ...ACME, connector_id: 'con_tools', reason: 'connector.updated' })).toEqual([
      ...forgotten,
      ['consents', connector],
      ['sessions', connector, {}],
    ]);
  });

  it('keeps consents, and running calls for a while, if only its secret has changed', async () => {
    expect(await calledBy({ ...ACME, connector_id: 'con_tools', reason: 'connector.secret_set' })).toEqual([
      ...forgotten,
      ['sessions', connector, { graceMs: 30_000 }],
    ]);
  });
});

describe('for an agent', () => {
  const forgotten = [
    ['registry', 'org_acme'],
    ['announced', 'org_acme'],
  ];

  it('reads the bindings again, and ends nothing', async () => {
    const called = await calledBy({ ...ACME, agent_id: 'agt_1', reason: 'agent.connector_set' });
    expect(called).toEqual(forgotten);
  });

  it.each(['agent.updated', 'agent.deleted', 'agent.client_removed'])(
    'ends its sessions, and no token, for %s',
    async (reason) => {
      const called = await calledBy({ ...ACME, agent_id: 'agt_1', reason });
      expect(called).toEqual([...forgotten, ['sessions', { organizationId: 'org_acme', agentId: 'agt_1' }]]);
    },
  );
});

it.each(['sessions', 'cache', 'consents'])(
  'guarantees nothing while the store of %s is down',
  async (what) => {
    failing = what;
    const res = await revoke({ ...ACME, reason: 'organization.suspended' });
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([
      503,
      'token_store_unavailable',
      '5',
    ]);
  },
);

it('revokes even if the other processes cannot be notified', async () => {
  failing = 'announced';
  expect((await calledBy({ ...ACME, reason: 'organization.suspended' })).map(([what]) => what)).toContain(
    'cache',
  );
});

it('is allowed to services with the scope, up to their limit', async () => {
  const body = { ...ACME, reason: 'organization.suspended' };
  expect((await revoke(body, app(['internal:connectors']))).status).toBe(403);
  usage = { exceeded: true, resetAfterSeconds: 7 };
  const res = await revoke(body);
  expect([res.status, res.get('Retry-After')]).toEqual([429, '7']);
  expect(called).toEqual([]);
});

it.each<[string, object]>([
  ['no organization', { reason: 'a' }],
  ['no reason', ACME],
  ['a reason that is a sentence', { ...ACME, reason: 'They left us' }],
  ['an organization with a colon', { organization_id: 'org:acme', reason: 'a' }],
  ['a user with a colon', { ...ACME, user_id: 'a:b', reason: 'a' }],
  ['an empty user', { ...ACME, user_id: '', reason: 'a' }],
  ['a user of 256 characters', { ...ACME, user_id: 'x'.repeat(256), reason: 'a' }],
  ['a reason of 65 characters', { ...ACME, reason: 'x'.repeat(65) }],
  ['a user and a connector', { ...ACME, user_id: 'a', connector_id: 'b', reason: 'a' }],
  ['an agent and a user', { ...ACME, user_id: 'a', agent_id: 'b', reason: 'a' }],
  ['a member that is not known', { ...ACME, reason: 'a', connector: 'b' }],
])('refuses %s', async (_case, body) => {
  const res = await revoke(body);
  expect(res.status).toBeGreaterThanOrEqual(400);
  expect(res.status).toBeLessThan(500);
  expect(called).toEqual([]);
});

it('explains that only one of connector, user or agent can be named', async () => {
  const res = await revoke({ ...ACME, user_id: 'a', agent_id: 'b', reason: 'a' });
  expect(JSON.stringify(res.body)).toContain('name a connector, a user or an agent');
});

it('accepts a body of 4 KiB, and no larger one', async () => {
  const text = JSON.stringify({ ...ACME, reason: 'a' });
  const send = (length: number) =>
    request(app()).post('/revocations').type('json').send(text.padEnd(length, ' '));
  expect([(await send(4096)).status, (await send(4097)).status]).toEqual([200, 413]);
});

it.each(['/revocations', '/changes'])('refuses any other method than POST at %s with 405', async (path) => {
  const res = await request(app()).get(path);
  expect([res.status, res.get('Allow')]).toEqual([405, 'POST']);
});

describe('changes', () => {
  const note = (body: object, on = app()) => request(on).post('/changes').send(body);

  it('make this and other processes fetch the connectors again, and ends nothing', async () => {
    const res = await note({ organization_ids: ['org_acme', 'org_globex'] });
    expect([res.status, res.body]).toEqual([200, { noted: true }]);
    expect(called).toEqual([
      ['recheck', 'org_acme'],
      ['recheck', 'org_globex'],
      ['announced change', 'org_acme'],
      ['announced change', 'org_globex'],
    ]);
  });

  it('are recorded here even if they cannot be announced', async () => {
    failing = 'announced change';
    expect((await note({ organization_ids: ['org_acme'] })).status).toBe(200);
    expect(called[0]).toEqual(['recheck', 'org_acme']);
  });

  it.each<[string, object]>([
    ['no organization', { organization_ids: [] }],
    ['too many', { organization_ids: Array(101).fill('org_acme') }],
    ['an invalid id', { organization_ids: ['org:acme'] }],
    ['another member', { organization_ids: ['org_acme'], reason: 'x' }],
  ])('are refused with %s', async (_case, body) => {
    const res = await note(body);
    expect([res.status, res.body.code, called]).toEqual([400, 'validation_failed', []]);
  });

  it('require the scope', async () => {
    expect((await note({ organization_ids: ['org_acme'] }, app(['internal:other']))).status).toBe(403);
  });

  it('count toward the limit of requests of a service', async () => {
    usage = { exceeded: true, resetAfterSeconds: 7 };
    expect((await note({ organization_ids: ['org_acme'] })).status).toBe(429);
  });
});
