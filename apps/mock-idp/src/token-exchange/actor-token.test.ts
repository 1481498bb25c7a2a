import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { decodeJwt } from 'jose';
import { exchangeForm, type Form, mintIdToken, postToken } from '../testing/exchange.ts';
import { createTestWorld, SCENE, type TestWorld } from '../testing/scene.ts';

const HUB = 'https://hub.example';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const clock = () => new Date();

let keys: SigningKeys;
let server: Server;
let jwksUri: string;
let isAway = false;
beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'ES256', clock });
  server = createServer((_req, res) => {
    if (isAway) return void res.destroy();
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(keys.publicJwks()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const worldWith = (policies: object[] = [], isTrusted = true) => {
  const clients = SCENE.clients.map((client) =>
    client.client_id === 'hub' && isTrusted
      ? { ...client, actor_issuers: [{ issuer: HUB, jwks_uri: jwksUri }] }
      : client,
  );
  return createTestWorld({ scene: { ...SCENE, clients, policies } });
};

let world: TestWorld;
beforeEach(async () => {
  isAway = false;
  world = await worldWith();
});

async function actorToken(claims: Record<string, unknown> = {}, typ = 'actor+jwt', by = keys) {
  const now = epochSeconds(clock());
  return by.sign(
    {
      ...{ iss: HUB, sub: 'agt_support', sub_profile: 'ai_agent', aud: world.issuer, client_id: 'hub' },
      ...{ organization_id: 'org_acme', iat: now, exp: now + 60, jti: 'a' },
      ...claims,
    },
    { typ },
  );
}

async function exchange(changes: Form = {}) {
  const form = exchangeForm(await mintIdToken(world), { actor_token_type: JWT, ...changes });
  const answer = await postToken(world, form);
  return { answer, claims: answer.status === 200 ? decodeJwt(answer.body.access_token) : undefined };
}

it('adds the agent to the ID-JAG if the actor token comes from an issuer registered for the client', async () => {
  const { claims } = await exchange({ actor_token: await actorToken() });
  expect(claims).toMatchObject({
    sub: 'user_alice',
    act: { iss: HUB, sub: 'agt_support', sub_profile: 'ai_agent' },
  });
});

it('adds no agent for a client that may not send actor tokens', async () => {
  world = await worldWith([], false);
  const { answer, claims } = await exchange({ actor_token: await actorToken() });
  expect([answer.status, claims?.act]).toEqual([200, undefined]);
});

describe('an actor token is refused', () => {
  it.each<[string, Record<string, unknown>, string?]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another audience', { aud: 'https://evil.example' }],
    ['for several audiences', { aud: ['https://evil.example', 'https://idp.example'] }],
    ['of another client', { client_id: 'stranger' }],
    ['of no client', { client_id: undefined }],
    ['of another organization', { organization_id: 'org_globex' }],
    ['of no organization', { organization_id: undefined }],
    ['about nobody', { sub: undefined }],
    ['that has expired', { iat: 1, exp: 2 }],
    ['that lives long', { exp: 4_000_000_000 }],
    ['of another type', {}, 'JWT'],
    ['that is an ID-JAG', {}, 'oauth-id-jag+jwt'],
  ])('%s', async (_case, claims, typ = 'actor+jwt') => {
    const { answer } = await exchange({ actor_token: await actorToken(claims, typ) });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('signed with another key', async () => {
    const others = await createSigningKeys({ alg: 'ES256', clock });
    const { answer } = await exchange({ actor_token: await actorToken({}, undefined, others) });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['that is none', { actor_token: 'x' }],
    ['that is empty', { actor_token: '' }],
    ['that is missing', {}],
    ['that is sent twice', { actor_token: ['a', 'b'] }],
    ['without its type', { actor_token: 'x', actor_token_type: undefined }],
    [
      'of another token type',
      { actor_token: 'x', actor_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
    ],
  ])('%s', async (_case, form) => {
    const { answer } = await exchange(form);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('temporarily, while the keys of its issuer are unavailable', async () => {
    isAway = true;
    const { answer } = await exchange({ actor_token: await actorToken() });
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
  });
});

describe('a policy', () => {
  const DENY = { id: 'd', effect: 'deny', match: { agents: ['agt_support'] } };
  const NARROW = { id: 'n', effect: 'narrow', match: { agents: ['agt_support'] }, scopes: ['tools:read'] };

  it('can deny an agent without denying the user', async () => {
    world = await worldWith([DENY]);
    const denied = await exchange({ actor_token: await actorToken() });
    expect([denied.answer.status, denied.answer.body.error]).toEqual([400, 'access_denied']);
    expect((await exchange({ actor_token: await actorToken({ sub: 'agt_other' }) })).answer.status).toBe(200);
    expect((await exchange({ actor_token_type: undefined })).answer.status).toBe(200);
  });

  it('can narrow the scopes of an agent', async () => {
    world = await worldWith([NARROW]);
    expect((await exchange({ actor_token: await actorToken() })).claims?.scope).toBe('tools:read');
    expect((await exchange({ actor_token_type: undefined })).claims?.scope).toBe('tools:read tools:call');
  });
});
