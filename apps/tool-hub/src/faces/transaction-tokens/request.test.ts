import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  API,
  BILLING,
  createTransactionScene,
  type Form,
  OTHER_WORKLOAD,
  POWERLESS,
  type TransactionScene,
} from '../../testing/transaction-scene.ts';

let scene: TransactionScene;
beforeAll(async () => {
  scene = await createTransactionScene();
});

const TYPE = 'urn:ietf:params:oauth:token-type:';
const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;

it.each<[string, Form, string]>([
  ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['no grant type', { grant_type: undefined }, 'invalid_request'],
  ['no requested token type', { requested_token_type: undefined }, 'invalid_request'],
  ['another requested token type', { requested_token_type: `${TYPE}access_token` }, 'invalid_request'],
  ['an ID-JAG wanted', { requested_token_type: `${TYPE}id-jag` }, 'invalid_request'],
  ['no subject token', { subject_token: undefined }, 'invalid_request'],
  ['an empty subject token', { subject_token: '' }, 'invalid_request'],
  ...['id_token', 'refresh_token', 'jwt', 'saml2', 'self_signed', 'unsigned_json', 'txn_token'].map(
    (type): [string, Form, string] => [
      `the subject token type ${type}`,
      { subject_token_type: `${TYPE}${type}` },
      'invalid_request',
    ],
  ),
  ['no subject token type', { subject_token_type: undefined }, 'invalid_request'],
  ['an actor token', { actor_token: 'x', actor_token_type: `${TYPE}jwt` }, 'invalid_request'],
  ['no audience', { audience: undefined }, 'invalid_request'],
  ['two audiences', { audience: [API, BILLING] }, 'invalid_request'],
  ['a repeated scope', { scope: ['sites:list', 'sites:list'] }, 'invalid_request'],
  ['a repeated parameter that nobody knows', { x: ['1', '2'] }, 'invalid_request'],
  ['an audience that nobody knows', { audience: 'https://evil.example' }, 'invalid_target'],
  ['an audience with a slash more', { audience: `${API}/` }, 'invalid_target'],
  ['the name of an object property as audience', { audience: '__proto__' }, 'invalid_target'],
  ['a resource', { resource: API }, 'invalid_target'],
  ['no scope', { scope: undefined }, 'invalid_scope'],
  ['two operations', { scope: 'sites:list invoices:list' }, 'invalid_scope'],
  ['an operation that nobody knows', { scope: 'sites:create' }, 'invalid_scope'],
  ['an operation of another service', { scope: 'invoices:list' }, 'invalid_scope'],
  ['the name of an object property as operation', { scope: 'constructor' }, 'invalid_scope'],
  ['an operation that another scope covers', { scope: 'sites:delete' }, 'invalid_scope'],
  ['details that are no JSON', { request_details: '{' }, 'invalid_request'],
  ['details that are a list', { request_details: '[]' }, 'invalid_request'],
  ['details that are null', { request_details: 'null' }, 'invalid_request'],
  ['details that are a text', { request_details: '"a"' }, 'invalid_request'],
  ['nested details', { request_details: '{"limit":{"a":1}}' }, 'invalid_request'],
  ['details nested without end', { request_details: `{"limit":${deep}}` }, 'invalid_request'],
  ['details that are null inside', { request_details: '{"limit":null}' }, 'invalid_request'],
  ['a number without end', { request_details: '{"limit":1e999}' }, 'invalid_request'],
  ['details of 4097 characters', { request_details: `{"x":"${'x'.repeat(4089)}"}` }, 'invalid_request'],
  ['a detail of 256 characters', { request_details: `{"search":"${'x'.repeat(256)}"}` }, 'invalid_request'],
  [
    'a token in the details',
    { request_details: '{"search":"eyJhbGciOiJFUzI1NiJ9.e30.x"}' },
    'invalid_request',
  ],
  ['a context that is no object', { request_context: '7' }, 'invalid_request'],
])('refuses %s', async (_case, form, error) => {
  const answer = await scene.ask({
    ...('subject_token' in form ? form : { subject_token: await scene.accessToken(), ...form }),
  });
  expect([answer.status, answer.body.error]).toEqual([400, error]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
});

it('refuses a workload without services', async () => {
  const answer = await scene.ask(POWERLESS);
  expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client']);
});

it("gives a workload no token for another workload's operations", async () => {
  const answer = await scene.ask({ ...OTHER_WORKLOAD, audience: API });
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_target']);
});

describe('details and context', () => {
  it('are included if policy names them, and dropped otherwise', async () => {
    const claims = await scene.claimsFor({
      request_details:
        '{"limit":20,"search":"a b","organization_id":"org_globex","roles":["owner"],"x":{"y":[1]}}',
      request_context: '{"req_ip":"203.0.113.9","client_id":"somebody","sub":"user_bob"}',
    });
    expect(claims.tctx).toEqual({ limit: 20, search: 'a b', organization_id: 'org_acme' });
    expect(claims.rctx).toEqual({ req_ip: '203.0.113.9', client_id: 'tool-hub' });
    expect(claims.sub).toBe('user_alice');
  });

  it('do not change a prototype, and are not read from one', async () => {
    const claims = await scene.claimsFor({
      request_details: '{"__proto__":{"limit":1},"prototype":1}',
      request_context: '{"__proto__":{"req_ip":"x"}}', // the policy allows `constructor`, which the request does not contain
    });
    expect(claims.tctx).toEqual({ organization_id: 'org_acme' });
    expect(claims.rctx).toEqual({ client_id: 'tool-hub' });
    expect('limit' in {}).toBe(false);
  });

  it('may have 4096 characters in total, and 255 in each value', async () => {
    const longest = `{"x":"${'x'.repeat(4088)}"}`;
    expect(longest).toHaveLength(4096);
    expect((await scene.ask({ request_details: longest })).status).toBe(200);
    const search = 'x'.repeat(255);
    expect((await scene.claimsFor({ request_details: JSON.stringify({ search }) })).tctx).toMatchObject({
      search,
    });
  });
});

describe('the endpoint', () => {
  it('accepts only a form by POST', async () => {
    const json = await request(scene.app).post('/oauth/token').send({ grant_type: 'x' });
    const get = await request(scene.app).get('/oauth/token');
    expect([json.status, json.body.error, get.status, get.headers.allow]).toEqual([
      415,
      'invalid_request',
      405,
      'POST',
    ]);
  });

  it('accepts at most 64 KB', async () => {
    const answer = await scene.ask({ request_details: 'x'.repeat(70_000) });
    expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request']);
  });
});
