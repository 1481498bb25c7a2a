import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { namingOutages } from '@legate/authorization-server';
import { createMemoryBackend } from '@legate/secure-store';
import request, { type Response } from 'supertest';
import { createMemoryDocuments, type OpenDocuments } from '../directory/documents.ts';
import { admin, exchangeForm, mintIdToken, postToken } from '../testing/exchange.ts';
import { createTestWorld, type TestWorld } from '../testing/scene.ts';
import { namingDocumentOutages } from './store-outage.ts';

let down = false;
let world: TestWorld;
let idToken: string;

/** Wraps a store: while `down` is set, each of its methods rejects like that of a disconnected Redis client. */
const failing = <T extends object>(target: T): T =>
  new Proxy(target, {
    get(object, name, receiver) {
      const member: unknown = Reflect.get(object, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        if (down) throw new Error('Command timed out');
        return Reflect.apply(member, object, args);
      };
    },
  });

beforeAll(async () => {
  const memory = createMemoryDocuments();
  const documents: OpenDocuments = (name, schema) => failing(memory(name, schema));
  world = await createTestWorld({
    stores: {
      backend: namingOutages(failing(createMemoryBackend({ clock: () => new Date() }))),
      documents: namingDocumentOutages(documents),
    },
  });
  idToken = await mintIdToken(world);
});
beforeEach(() => {
  down = true;
  world.logged.length = 0;
});

function expectOutage(answer: Response) {
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.text).not.toMatch(/timed out|at file|\.ts:/);
  expect(world.logged.join('\n')).toContain('Command timed out');
}

const AUTHORIZE = `/oauth/authorize?${new URLSearchParams({
  client_id: 'app',
  response_type: 'code',
  redirect_uri: 'http://127.0.0.1:59999/callback',
  scope: 'openid',
  state: 's',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
})}`;

describe('while the store is down', () => {
  it.each([
    ['a token exchange', exchangeForm('')],
    ['the redemption of a code', { grant_type: 'authorization_code', code: 'c', client_id: 'app' }],
    ['a refresh', { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'app' }],
  ])('%s returns a temporary error, never invalid_grant', async (_case, form) => {
    const answer = await postToken(world, {
      ...form,
      ...('subject_token' in form && { subject_token: idToken }),
    });
    expectOutage(answer);
    expect(answer.body.error).toBe('temporarily_unavailable');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('a grant of oidc-provider returns a temporary error too, even if the store fails during the grant', async () => {
    down = false;
    const { app } = world;
    const form = { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'app' };
    const refused = await postToken(world, form);
    expect(refused.body.error).toBe('invalid_grant');
    // Our code reads the client first; later reads by oidc-provider fail.
    const find = world.directory.clients.find;
    Object.assign(world.directory.clients, {
      find: async (id: string) => {
        const client = await find(id);
        down = true;
        return client;
      },
    });
    try {
      const answer = await request(app).post('/oauth/token').type('form').send(form);
      expectOutage(answer);
      expect(answer.body).toMatchObject({ error: 'temporarily_unavailable' });
    } finally {
      Object.assign(world.directory.clients, { find });
    }
  });

  it('the sign-in page shows an error page, at its start and when it is submitted', async () => {
    down = false;
    const begun = await request(world.app).get(AUTHORIZE);
    const cookies = [begun.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '');
    down = true;
    const form = { email: 'alice@acme.example', password: 'x' };
    const answers = [
      await request(world.app).get(AUTHORIZE).set('Accept', 'text/html'),
      await request(world.app)
        .get(begun.headers.location ?? '')
        .set('Cookie', cookies),
      await request(world.app)
        .post(begun.headers.location ?? '')
        .type('form')
        .set('Cookie', cookies)
        .send(form),
    ];
    for (const answer of answers) {
      expectOutage(answer);
      expect(answer.type).toBe('text/html');
      expect(answer.text).toContain('try again in a few seconds');
    }
  });

  it('UserInfo returns a temporary error', async () => {
    expectOutage(
      await request(world.app)
        .get('/userinfo')
        .set('Authorization', `Bearer ${'a'.repeat(43)}`),
    );
  });

  it('the admin API returns a problem', async () => {
    const answer = await admin(world).get('/users/user_alice');
    expectOutage(answer);
    expect([answer.type, answer.body.code]).toEqual(['application/problem+json', 'service_unavailable']);
  });

  it('endpoints that do not use the store work', async () => {
    await request(world.app).get('/.well-known/jwks.json').expect(200);
    await request(world.app).get('/.well-known/openid-configuration').expect(200);
  });
});
