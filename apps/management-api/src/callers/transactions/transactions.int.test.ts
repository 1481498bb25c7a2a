import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import request from 'supertest';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, HUB, ISSUER, NOW, RESOURCE, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let alice: Client;
let acmeSite: string;
let globexSite: string;
beforeAll(async () => {
  api = await createTestApi();
  alice = await clientOf(api, 'org_acme');
  const carol = await clientOf(api, 'org_globex', { sub: 'user_carol' });
  acmeSite = (await alice('post', '/sites', { name: 'Portal' })).body.id;
  globexSite = (await carol('post', '/sites', { name: 'Shop' })).body.id;
});
afterAll(() => api.close());

const toolsToken = (clientId = 'tools', claims: Record<string, unknown> = {}) =>
  api.workloadToken('internal:transactions', { sub: clientId, client_id: clientId, ...claims });

type Method = 'get' | 'head' | 'post' | 'patch' | 'delete';
/** @param app may return responses that the API's description omits, such as the refusal of a transaction */
async function send(method: Method, path: string, txnToken: string, bearer?: string, app = api.app) {
  const call = request(app)[method](`/api/v1${path}`).set('Txn-Token', txnToken);
  return call.set('Authorization', `Bearer ${bearer ?? (await toolsToken())}`);
}
const list = (txnToken: string, bearer?: string) => send('get', '/sites', txnToken, bearer);
const outcome = ({ status, body }: request.Response) => [status, body.code];
const for_ = (operation: string, parameters: Record<string, unknown> = {}, organization = 'org_acme') => ({
  scope: operation,
  tctx: { organization_id: organization, ...parameters },
});

describe('a workload with a transaction token', () => {
  it("lists the sites of the organization in the token, for the token's user", async () => {
    const answer = await list(await api.txnToken());
    expect([answer.status, answer.body.data.map(({ id }: { id: string }) => id)]).toEqual([200, [acmeSite]]);
    expect(answer.headers.vary).toMatch(/Txn-Token/);
    const globex = await list(await api.txnToken(for_('sites:list', {}, 'org_globex')));
    expect(globex.body.data.map(({ id }: { id: string }) => id)).toEqual([globexSite]);
  });

  it('gets a site, and lists a page, with exactly the parameters of the token', async () => {
    const one = await send(
      'get',
      `/sites/${acmeSite}`,
      await api.txnToken(for_('sites:get', { site_id: acmeSite })),
    );
    expect([one.status, one.body.name]).toEqual([200, 'Portal']);
    const page = await send(
      'get',
      '/sites?limit=1&offset=0',
      await api.txnToken(for_('sites:list', { limit: 1, offset: '0' })),
    );
    expect([page.status, page.body.pagination.limit]).toEqual([200, 1]);
    // The path without the version belongs to the same operation.
    const unversioned = await request(api.app)
      .get('/api/sites')
      .set('Txn-Token', await api.txnToken())
      .auth(await toolsToken(), { type: 'bearer' });
    expect(unversioned.status).toBe(200);
  });

  it('calls as its user, with their membership and role', async () => {
    await api.database.asOwner(async (owner) => {
      await owner.query(
        `INSERT INTO members (organization_id, user_id, id, role, removed_at) VALUES
         ('org_acme', 'user_gone', 'mem_gone', 'admin', now()), ('org_acme', 'user_viewer', 'mem_v', 'viewer', NULL)`,
      );
    });
    const gone = await list(await api.txnToken({ sub: 'user_gone' }));
    expect(outcome(gone)).toEqual([403, 'membership_revoked']);
    expect((await list(await api.txnToken({ sub: 'user_viewer' }))).status).toBe(200);
  });

  it('is counted against the organization of its user', async () => {
    const limited = await list(await api.txnToken());
    const before = Number(limited.headers['x-ratelimit-remaining']);
    expect(limited.headers['ratelimit-policy']).toMatch(/^"free"/);
    const refused = await list(await api.txnToken(for_('sites:get', { site_id: acmeSite })));
    expect([refused.status, refused.headers['x-ratelimit-remaining']]).toEqual([403, String(before)]);
  });
});

describe('a transaction token is refused', () => {
  it.each([
    ['list sites', '/sites', for_('sites:get', { site_id: '{acme}' })],
    ['get a site', '/sites/{acme}', for_('sites:list')],
    ['get the site of another one', '/sites/{acme}', for_('sites:get', { site_id: '{globex}' })],
    ['get a site without saying which', '/sites/{acme}', for_('sites:get')],
    ['list more', '/sites?limit=100', for_('sites:list', { limit: 20 })],
    ['list with a filter', '/sites?search=x', for_('sites:list')],
    ['list other than was signed', '/sites', for_('sites:list', { limit: 20 })],
    ['repeat a parameter', '/sites?limit=20&limit=20', for_('sites:list', { limit: 20 })],
    ['do one of two operations', '/sites', for_('sites:list sites:get')],
    ['do what a scope of users allows', '/sites', for_('sites:read')],
  ])('for another operation: %s', async (_case, path, claims) => {
    const fill = (text: string) => text.replaceAll('{acme}', acmeSite).replaceAll('{globex}', globexSite);
    const txnToken = await api.txnToken(JSON.parse(fill(JSON.stringify(claims))));
    expect(outcome(await send('get', fill(path), txnToken))).toEqual([403, 'transaction_mismatch']);
  });

  it('for a site of another organization', async () => {
    const txnToken = await api.txnToken(for_('sites:get', { site_id: globexSite }));
    expect(outcome(await send('get', `/sites/${globexSite}`, txnToken))).toEqual([404, 'not_found']);
  });

  it('at every operation that accepts no transaction tokens', async () => {
    const document = (await request(api.app).get('/api/v1/openapi.json')).body;
    const operations = Object.entries(
      document.paths as Record<string, Record<string, { security: object[] }>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({ path, method, security })),
    );
    const accepting = operations.filter(({ security }) => security.some((way) => 'transactionToken' in way));
    expect(accepting.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'get /sites',
      'get /sites/{site_id}',
    ]);
    for (const { path, method, security } of operations) {
      if (security.length === 0 || method === 'put') continue;
      const answer = await send(
        method as Method,
        path.replace(/\{\w+\}/g, 'x'),
        await api.txnToken(for_('sites:other')),
        undefined,
        api.inner,
      );
      expect([`${method} ${path}`, answer.status]).toEqual([`${method} ${path}`, 403]);
    }
  });

  it.each([
    ['expired 5 s ago', { iat: NOW - 65, exp: NOW - 5 }, 'transaction_token_expired'],
    ['for another service', { aud: 'https://hub.example' }, 'transaction_token_invalid'],
    ['for two services', { aud: [RESOURCE, HUB] }, 'transaction_token_invalid'],
    ['of another issuer', { iss: 'https://evil.example' }, 'transaction_token_invalid'],
    ['of the identity provider', { iss: ISSUER }, 'transaction_token_invalid'],
    ['issued 6 s from now', { iat: NOW + 6, exp: NOW + 60 }, 'transaction_token_invalid'],
    ['living longer than 300 s', { exp: NOW + 301 }, 'transaction_token_invalid'],
    ...['iss', 'aud', 'sub', 'txn', 'jti', 'iat', 'exp', 'scope', 'req_wl', 'tctx'].map(
      (claim) => [`without ${claim}`, { [claim]: undefined }, 'transaction_token_invalid'] as const,
    ),
    ['without an organization', { tctx: {} }, 'transaction_token_invalid'],
    ['with nested parameters', { tctx: { organization_id: 'org_acme', a: {} } }, 'transaction_token_invalid'],
    ['with an organization that cannot be one', for_('sites:list', {}, 'a:b'), 'transaction_token_invalid'],
  ])('that is %s', async (_case, claims, code) => {
    expect(outcome(await list(await api.txnToken(claims)))).toEqual([401, code]);
  });

  it.each([
    ['1 s left', { iat: NOW - 59, exp: NOW + 1 }],
    ['4 s over, within the skew', { iat: NOW - 64, exp: NOW - 4 }],
    ['300 s to live', { exp: NOW + 300 }],
  ])('but not with %s', async (_case, claims) => {
    expect((await list(await api.txnToken(claims))).status).toBe(200);
  });

  it.each(['at+jwt', 'JWT', 'oauth-id-jag+jwt'])('with the typ %s', async (typ) => {
    expect(outcome(await list(await api.txnToken({}, { typ })))).toEqual([401, 'transaction_token_invalid']);
  });

  it('that is malformed, sent twice, or has a foreign signature', async () => {
    const stranger = await createSigningKeys({ alg: 'ES256', clock: api.now });
    const good = await api.txnToken();
    const claims = JSON.parse(Buffer.from(good.split('.')[1] ?? '', 'base64url').toString());
    const forged = await stranger.sign(claims, { typ: 'txntoken+jwt' });
    const unsigned = `${Buffer.from('{"alg":"none","typ":"txntoken+jwt"}').toString('base64url')}.${good.split('.')[1]}.`;
    for (const token of ['nonsense', 'a.b.c', forged, unsigned, `${good}, ${good}`, 'x'.repeat(9000)]) {
      const answer = await list(token);
      expect(outcome(answer)).toEqual([401, 'transaction_token_invalid']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.text).not.toContain(token.slice(0, 40));
    }
  });

  it('a second time, even concurrently', async () => {
    const once = await api.txnToken();
    expect((await list(once)).status).toBe(200);
    expect(outcome(await list(once))).toEqual([403, 'transaction_used']);
    const twice = await api.txnToken();
    const both = await Promise.all([list(twice), list(twice)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('but is not used up by a request for another operation', async () => {
    const txnToken = await api.txnToken();
    expect((await send('get', `/sites/${acmeSite}`, txnToken)).status).toBe(403);
    expect((await list(txnToken, await toolsToken('other-tools'))).status).toBe(403);
    expect((await list(txnToken)).status).toBe(200);
  });
});

describe('the workload that presents a transaction token', () => {
  it.each<[string, () => Promise<string | undefined>, number, string]>([
    ['nobody', async () => undefined, 401, 'token_missing'],
    [
      'the user, with their own access token',
      () => api.token('org_acme', { client_id: 'tools', scope: 'internal:transactions' }),
      403,
      'workload_required',
    ],
    ['another workload', () => toolsToken('other-tools'), 403, 'transaction_mismatch'],
    ['a client that is no workload', () => toolsToken('stranger'), 403, 'workload_unknown'],
    [
      'a workload without the scope',
      () => api.workloadToken('internal:connectors'),
      403,
      'insufficient_permission',
    ],
    [
      'a workload whose token has it and whose setting has not',
      () => api.workloadToken('internal:transactions'),
      403,
      'insufficient_permission',
    ],
    [
      'a token that expired',
      () => toolsToken('tools', { iat: NOW - 3600, exp: NOW - 61 }),
      401,
      'token_expired',
    ],
    ['the transaction token itself as bearer', () => api.txnToken(), 401, 'token_invalid'],
  ])('must not be %s', async (_case, bearer, status, code) => {
    const call = request(api.app)
      .get('/api/v1/sites')
      .set('Txn-Token', await api.txnToken());
    const token = await bearer();
    if (token !== undefined) call.set('Authorization', `Bearer ${token}`);
    expect(outcome(await call)).toEqual([status, code]);
  });

  it('is refused with only one of the two tokens', async () => {
    const alone = async (bearer: string) =>
      request(api.app).get('/api/v1/sites').auth(bearer, { type: 'bearer' });
    expect(outcome(await alone(await toolsToken()))).toEqual([403, 'service_account_unknown']);
    expect(outcome(await alone(await api.txnToken()))).toEqual([401, 'token_invalid']);
  });
});

describe('returns 503 during an outage', () => {
  it.each<[string, Parameters<typeof createTestApi>[0], (other: TestApi) => void]>([
    ['of the issuer of transaction tokens', {}, (other) => other.setHubDown(true)],
    [
      'of the store that remembers used tokens; and nothing passes without it',
      { useTransactionOnce: () => Promise.reject(new Error('closed')) },
      () => undefined,
    ],
  ])('%s', async (_case, options, fail) => {
    const other = await createTestApi({ ...options, beside: api });
    fail(other);
    const tools = await other.workloadToken('internal:transactions', { sub: 'tools', client_id: 'tools' });
    const answer = await request(other.app)
      .get('/api/v1/sites')
      .set('Txn-Token', await other.txnToken())
      .auth(tools, { type: 'bearer' });
    expect([...outcome(answer), answer.headers['retry-after']]).toEqual([503, 'service_unavailable', '5']);
  });
});
