import request from 'supertest';
import { ADMIN_KEY, type TestWorld, TOKEN_EXCHANGE, TOOL_SERVER } from './scene.ts';

export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
export const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

export type Form = Record<string, string | string[] | undefined>;

/** Returns an ID token minted by the admin API. */
export async function mintIdToken(
  world: TestWorld,
  claims: { user?: string; client_id?: string; expires_in?: number } = {},
): Promise<string> {
  const answer = await admin(world)
    .post('/id-tokens')
    .send({ user: 'user_alice', client_id: 'app', ...claims });
  if (answer.status !== 201) throw new Error(`no ID token: ${answer.status}`);
  return answer.body.id_token;
}

/** The token exchange request of the product's specification, as the hub sends it. */
export const exchangeForm = (subjectToken: string, changes: Form = {}): Form => ({
  grant_type: TOKEN_EXCHANGE,
  requested_token_type: ID_JAG,
  subject_token_type: ID_TOKEN,
  subject_token: subjectToken,
  audience: TOOL_SERVER,
  resource: TOOL_SERVER,
  scope: 'tools:read tools:call',
  client_id: 'hub',
  client_secret: 'the-secret-of-the-hub',
  ...changes,
});

export function encode(form: Form): string {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(form))
    for (const item of [value ?? []].flat()) body.append(name, item);
  return body.toString();
}

export const postToken = (world: TestWorld, form: Form) =>
  request(world.app).post('/oauth/token').type('form').send(encode(form));

export function admin(world: TestWorld) {
  const as = (test: request.Test) => test.set('Authorization', `Bearer ${ADMIN_KEY}`);
  return {
    get: (path: string) => as(request(world.app).get(`/admin${path}`)),
    post: (path: string) => as(request(world.app).post(`/admin${path}`)),
    put: (path: string) => as(request(world.app).put(`/admin${path}`)),
    patch: (path: string) => as(request(world.app).patch(`/admin${path}`)),
    delete: (path: string) => as(request(world.app).delete(`/admin${path}`)),
  };
}
