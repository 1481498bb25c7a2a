import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const IDP = 'https://idp.example';

let api: TestApi;
/** `authorization_servers` of every tool server */
let listed: string[];
let acme: Client;
let organizationId: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi({
    getJson: async (url) => {
      const { origin, pathname } = new URL(url);
      const path = pathname.replace('/.well-known/oauth-protected-resource', '');
      return { resource: `${origin}${path}`, authorization_servers: listed };
    },
  });
});
afterAll(() => api.close());
beforeEach(async () => {
  listed = [IDP];
  organizationId = `org_${++count}`;
  acme = await clientOf(api, organizationId, { roles: ['owner'] });
});

const EXCHANGE = {
  auth_method: 'token-exchange',
  exchange_audience: 'api://tools',
  acknowledge_shared_audience: true,
};
const create = (change: object) =>
  acme('post', '/connectors', {
    name: 'Tools',
    resource_url: 'https://tools.example/mcp',
    ...EXCHANGE,
    ...change,
  });
const faults = (answer: {
  status: number;
  body: { code?: string; errors?: { pointer: string; code: string }[] };
}) => [
  answer.status,
  answer.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? answer.body.code,
];
const forHub = async () => {
  const res = await request(api.app)
    .get(`/internal/v1/organizations/${organizationId}/connectors`)
    .auth(await api.workloadToken('internal:connectors'), { type: 'bearer' });
  return res.body.connectors[0];
};

it('needs neither client nor secret, and reaches the hub', async () => {
  const created = await create({ token_audience: 'the-guid' });
  expect([created.status, created.body]).toMatchObject([
    201,
    {
      exchange_audience: 'api://tools',
      token_audience: 'the-guid',
      has_secret: false,
      token_exchange_used_at: null,
    },
  ]);
  expect(await forHub()).toMatchObject({
    auth_method: 'token-exchange',
    exchange_audience: 'api://tools',
    token_audience: 'the-guid',
    acknowledge_shared_audience: true,
    token_exchange_used: false,
  });
});

it('may stand in for id-jag, with the secret of that', async () => {
  const created = await create({
    ...{ auth_method: 'id-jag', fallback: ['token-exchange', 'service'], client_id: 'hub' },
    ...{ secret: 'the-secret-of-the-hub', service_kind: 'api_key', fallback_secret: 'sk-live-0123456789' },
  });
  expect([created.status, created.body.fallback]).toEqual([201, ['token-exchange', 'service']]);
});

it('needs no acknowledgement if the tokens are for the tool server alone', async () => {
  const own = { exchange_audience: 'https://tools.example/mcp', acknowledge_shared_audience: false };
  expect((await create(own)).status).toBe(201);
});

describe('is refused', () => {
  it.each<[string, object, unknown]>([
    ['without an audience', { exchange_audience: null }, ['/exchange_audience required']],
    [
      'without an acknowledgement',
      { acknowledge_shared_audience: false },
      ['/acknowledge_shared_audience shared_audience_not_acknowledged'],
    ],
    [
      'if only the token has another audience',
      {
        ...{ exchange_audience: 'https://tools.example/mcp', token_audience: 'other' },
        acknowledge_shared_audience: false,
      },
      ['/acknowledge_shared_audience shared_audience_not_acknowledged'],
    ],
    ['with a secret', { secret: 'a-secret-of-some-length' }, ['/secret secret_not_applicable']],
    [
      'with a client',
      { token_endpoint_auth_method: 'client_secret_basic' },
      ['/token_endpoint_auth_method not_applicable'],
    ],
  ])('%s', async (_case, change, expected) => {
    expect(faults(await create(change))).toEqual([400, expected]);
  });

  it('with an audience, if the method is another one', async () => {
    const other = { auth_method: 'oauth-pkce', acknowledge_shared_audience: false };
    expect(faults(await create({ ...other, token_audience: 'x' }))).toEqual([
      400,
      ['/exchange_audience not_applicable', '/token_audience not_applicable'],
    ]);
  });

  it.each([
    ['the client of the hub', 'tool-hub'],
    ['the API of the hub at the identity provider', 'API://tool-hub'],
    ['the identity provider', IDP],
    ['the identity provider, with a slash', `${IDP}/`],
    ['this API', 'https://api.example'],
    ["a user's mailbox", 'https://graph.microsoft.com/'],
    ["a user's mailbox, by its id", '00000003-0000-0000-c000-000000000000'],
  ])('for %s', async (_case, audience) => {
    expect(faults(await create({ exchange_audience: audience }))).toEqual([409, 'audience_refused']);
    expect(faults(await create({ token_audience: audience }))).toEqual([409, 'audience_refused']);
  });

  describe('for an audience of a connector at another origin', () => {
    const OTHER = { name: 'Other', resource_url: 'https://other.example' };
    beforeEach(() => create({ token_audience: 'the-guid' }));

    it.each([
      { exchange_audience: 'api://tools' },
      { exchange_audience: 'API://Tools' },
      { exchange_audience: 'the-guid' },
      { exchange_audience: 'api://other', token_audience: 'the-guid' },
    ])('at creation: %j', async (audiences) => {
      expect(faults(await create({ ...OTHER, ...audiences }))).toEqual([409, 'audience_in_use']);
    });

    it('in a change', async () => {
      const { body } = await create({ ...OTHER, exchange_audience: 'api://other' });
      const changed = await acme('patch', `/connectors/${body.id}`, { exchange_audience: 'api://tools' });
      expect(faults(changed)).toEqual([409, 'audience_in_use']);
    });

    it('in a restore', async () => {
      const { body } = await create({ ...OTHER, exchange_audience: 'api://other' });
      await acme('delete', `/connectors/${body.id}`);
      await create({
        name: 'Third',
        resource_url: 'https://third.example',
        exchange_audience: 'api://other',
      });
      expect(faults(await acme('post', `/connectors/${body.id}/restore`))).toEqual([409, 'audience_in_use']);
    });

    it('but not at the same origin', async () => {
      expect((await create({ name: 'More', resource_url: 'https://tools.example/more' })).status).toBe(201);
    });

    it('nor in another organization', async () => {
      acme = await clientOf(api, `org_${++count}`, { roles: ['owner'] });
      expect((await create(OTHER)).status).toBe(201);
    });

    it('in one of two requests at once', async () => {
      const at = (name: string) =>
        create({ name, resource_url: `https://${name}.example`, exchange_audience: 'api://race' });
      const { body } = await create({ ...OTHER, exchange_audience: 'api://other' });
      const answers = await Promise.all([
        at('one'),
        acme('patch', `/connectors/${body.id}`, { exchange_audience: 'api://race' }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
    });
  });
});

it('loses its audience with the method', async () => {
  const { body } = await create({ token_audience: 'the-guid' });
  const changed = await acme('patch', `/connectors/${body.id}`, { auth_method: 'oauth-pkce' });
  expect([changed.status, changed.body]).toMatchObject([
    200,
    { exchange_audience: null, token_audience: null, acknowledge_shared_audience: false },
  ]);
});

it('can be disabled whatever its audience has become', async () => {
  const { body } = await create({});
  const inDatabase = `UPDATE connectors SET exchange_audience = 'tool-hub' WHERE id = '${body.id}'`;
  await api.database.asOwner((owner) => owner.query(inDatabase));
  expect((await acme('patch', `/connectors/${body.id}`, { enabled: false })).status).toBe(200);
});

describe('the check of its metadata', () => {
  const check = async (change: object) => {
    const { body } = await create(change);
    const checked = await acme('post', `/connectors/${body.id}/check`);
    return [checked.body.status, checked.body.last_error?.code];
  };

  it('passes if the tool server lists the identity provider', async () => {
    expect(await check({})).toEqual(['ready', undefined]);
  });

  it('passes if the connector pins the identity provider', async () => {
    listed = ['https://facade.example'];
    expect(await check({ issuer: IDP })).toEqual(['ready', undefined]);
  });

  it.each([
    ['issuer_not_pinned', {}],
    ['issuer_not_listed', { issuer: 'https://facade.example' }],
  ])('otherwise fails with %s', async (code, change) => {
    listed = ['https://facade.example'];
    expect(await check(change)).toEqual(['error', code]);
  });
});
