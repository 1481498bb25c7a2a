import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;
let admin: string;
beforeEach(async () => {
  scene = await createScene();
  admin = await scene.idTokenOf('user_admin', { roles: ['admin'] });
});
afterEach(() => scene.stop());

const examine = (token: string, body: unknown) =>
  request(scene.app)
    .post('/api/v1/doctor')
    .set('Authorization', `Bearer ${token}`)
    .send(body as object);
const here = () => ({ resource_url: scene.toolServer.resource });

it('runs the checks that need no user', async () => {
  const { status, body, headers } = await examine(admin, here());
  expect([status, headers['cache-control'], body.resource_url]).toEqual([
    200,
    'no-store',
    scene.toolServer.resource,
  ]);
  const names = body.checks.map(({ check }: { check: string }) => check);
  expect([names[0], names.at(-1)]).toEqual(['reachable', 'origin']);
  expect(scene.idp.exchanges).toEqual([]);
  expect([...scene.entries.keys()].filter((key) => key.startsWith('token:'))).toEqual([]);
});

it('compares the authorization server with the one in the request', async () => {
  const other = { ...here(), issuer: 'https://login.example' };
  const { body } = await examine(admin, other);
  expect(body.checks).toContainEqual(
    expect.objectContaining({ check: 'authorization_servers', status: 'fail' }),
  );
  const right = await examine(admin, { ...here(), issuer: scene.toolServer.resource });
  expect(right.body.checks).toContainEqual(
    expect.objectContaining({ check: 'authorization_servers', status: 'ok' }),
  );
});

it('reports an address that does not respond as a fault, not as an error of the hub', async () => {
  const { status, body } = await examine(admin, { resource_url: 'http://127.0.0.1:1/mcp' });
  expect([status, body.first_fault.check]).toEqual([200, 'reachable']);
});

it('does not reach addresses that the guarded client forbids', async () => {
  const { status, body } = await examine(admin, { resource_url: 'http://169.254.169.254/latest' });
  expect([status, body.first_fault.check]).toEqual([200, 'reachable']);
});

it.each([[undefined], [['viewer']], [['developer']]])(
  'refuses the roles %j, and sends nothing',
  async (roles) => {
    const token = await scene.idTokenOf('user_alice', roles && { roles });
    const { status, body } = await examine(token, here());
    expect([status, body.code]).toEqual([403, 'insufficient_permission']);
    expect(scene.toolServer.metadataReads).toEqual([]);
  },
);

it.each<[string, unknown]>([
  ['without an address', {}],
  ['with an address of another scheme', { resource_url: 'file:///etc/passwd' }],
  ['with a fragment', { resource_url: 'https://a.example/mcp#x' }],
  ['with a name and password', { resource_url: 'https://user:pass@a.example/mcp' }],
  ['that is too long', { resource_url: `https://a.example/${'x'.repeat(2048)}` }],
  ['with an issuer that is no URL', { resource_url: 'https://a.example', issuer: 'login' }],
  ['with a member more', { resource_url: 'https://a.example', secret: 'x' }],
  ['that is a list', []],
])('refuses a body %s', async (_case, body) => {
  const answer = await examine(admin, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
});

it('allows an administrator six examinations a minute, of addresses and connectors together', async () => {
  const connector = () =>
    request(scene.app).post('/api/v1/connectors/con_tools/doctor').set('Authorization', `Bearer ${admin}`);
  for (let time = 0; time < 5; time += 1)
    expect((await examine(admin, { resource_url: 'http://127.0.0.1:1' })).status).toBe(200);
  expect((await connector()).status).toBe(200);
  const { status, body, headers } = await examine(admin, here());
  expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([429, 'rate_limit_exceeded', true]);
});

it('records who examined which address, without the findings', async () => {
  await examine(admin, here());
  expect(await scene.audited()).toMatchObject([
    {
      action: 'delegation.address_examined',
      actor: { id: 'user_admin' },
      organization_id: 'org_acme',
      details: { address: new URL(scene.toolServer.resource).origin, status: expect.any(String) },
    },
  ]);
});
