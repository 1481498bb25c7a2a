import { afterEach, beforeEach, expect, it } from '@jest/globals';
import request from 'supertest';
import { createScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});
afterEach(() => scene.stop());

const as = (roles?: readonly string[], sub = 'user_alice') => scene.idTokenOf(sub, roles && { roles });
const examine = (token: string, body: unknown, connectorId = 'con_tools') =>
  request(scene.app)
    .post(`/api/v1/connectors/${connectorId}/doctor`)
    .set('Authorization', `Bearer ${token}`)
    .send(body as object);

it.each([[['owner']], [['admin']], [['developer']]])(
  'shows %j the tokens of the run, decoded',
  async (roles) => {
    const { status, body } = await examine(await as(roles), { legs: true });
    expect([status, body.first_fault]).toEqual([200, null]);
    const [idToken, idJag, accessToken] = body.legs;
    expect(idToken).toMatchObject({ leg: 'id_token', endpoint: null, claims: { sub: 'user_alice' } });
    expect(idJag).toMatchObject({
      leg: 'id_jag',
      endpoint: expect.stringContaining(scene.idp.issuer),
      header: { typ: 'oauth-id-jag+jwt' },
      claims: { sub: 'user_alice', aud: scene.toolServer.resource, jti: expect.stringMatching(/^sha256:/) },
    });
    expect(accessToken).toMatchObject({
      leg: 'access_token',
      endpoint: expect.stringContaining(scene.toolServer.resource),
      scopes: ['mcp:tools:read', 'mcp:tools:call'],
    });
  },
);

it('contains no token, no signature and no secret', async () => {
  const token = await as(['owner']);
  const { text } = await examine(token, { legs: true });
  const issued = [...scene.idp.issued, ...scene.toolServer.issued, token];
  expect(issued.length).toBeGreaterThan(3);
  for (const one of issued) {
    const parts = one.split('.');
    for (const part of parts) expect(text).not.toContain(part);
  }
  expect(text).not.toContain('hub-at-server-secret');
  expect(JSON.stringify(await scene.audited())).not.toContain('eyJ');
});

it.each([[undefined], [['viewer']], [['member']]])('refuses the tokens to the roles %j', async (roles) => {
  const { status, body } = await examine(await as(roles), { legs: true });
  expect([status, body.code, body.legs]).toEqual([403, 'insufficient_permission', undefined]);
  expect(scene.idp.exchanges).toEqual([]);
});

it('does not show a developer the reasons of the checks, with or without the tokens', async () => {
  const { body } = await examine(await as(['developer']), { legs: true });
  for (const result of body.checks) expect(Object.keys(result)).toEqual(['check', 'status']);
});

it('returns no tokens unless they are requested', async () => {
  for (const body of [undefined, {}, { legs: false }])
    expect(
      (await examine(await as(['owner'], `user_${JSON.stringify(body)?.length}`), body)).body.legs,
    ).toBeUndefined();
});

it('lists tokens up to the last one that the run has obtained', async () => {
  scene.idp.misbehaviour = { claims: { aud: 'https://other.example' } };
  const { body } = await examine(await as(['developer']), { legs: true });
  expect(body.first_fault.check).toBe('id_jag');
  expect(body.legs.map(({ leg }: { leg: string }) => leg)).toEqual(['id_token', 'id_jag']);
  expect(body.legs[1].claims.aud).toBe('https://other.example');
});

it.each([[{ legs: 'yes' }], [{ tokens: true }], [[]]])('refuses the body %j', async (body) => {
  const answer = await examine(await as(['owner']), body);
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
});

it('finds no connector of another organization', async () => {
  const { status } = await examine(await as(['owner']), { legs: true }, 'con_globex_only');
  expect(status).toBe(404);
});
