import { expect, it } from '@jest/globals';
import { createExpressApp, createLogger, problemHandler, unmatchedRoute } from '@legate/service';
import request from 'supertest';
import { clientDocumentRoutes } from './client-document.ts';

const PUBLIC_URL = 'https://hub.example/hub';
const app = createExpressApp();
app.use('/oauth', clientDocumentRoutes({ publicUrl: PUBLIC_URL }));
app.use(unmatchedRoute);
app.use(problemHandler({ log: createLogger({ service: 'test', level: 'silent' }), typeBase: PUBLIC_URL }));

it('describes the hub, at its own URL, with one redirect URI and no secret', async () => {
  const answer = await request(app).get('/oauth/clients/con_notes.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body).toEqual({
    client_id: 'https://hub.example/hub/oauth/clients/con_notes.json',
    client_name: 'Legate tool hub',
    redirect_uris: ['https://hub.example/hub/oauth/callback/con_notes'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});

it('may be cached for an hour, also by shared caches', async () => {
  const answer = await request(app).head('/oauth/clients/con_notes.json');
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
  expect(answer.headers['set-cookie']).toBeUndefined();
});

it.each(['a.b', '...', '-', 'x.json', 'a'.repeat(128)])(
  'exists for every possible connector id, existing or not, and has no dot segment: %s',
  async (id) => {
    const answer = await request(app).get(`/oauth/clients/${id}.json`);
    expect([answer.status, answer.text.length < 5120]).toEqual([200, true]);
    const { client_id } = answer.body;
    expect([client_id, new URL(client_id).href]).toEqual([
      `${PUBLIC_URL}/oauth/clients/${id}.json`,
      client_id,
    ]);
  },
);

it.each(['..', '.', 'con:a', 'con%2Fa', '%22', 'a'.repeat(129), '', '%00'])(
  'does not exist for an impossible id: %s',
  async (id) => {
    const answer = await request(app).get(`/oauth/clients/${id}.json`);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
  },
);

it('is read-only', async () => {
  const answer = await request(app).post('/oauth/clients/con_notes.json');
  expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
});
