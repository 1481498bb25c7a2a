import { beforeEach, describe, expect, it } from '@jest/globals';
import { type KindName, readRefusal } from '@legate/identity-providers';
import { createSigningKeys } from '@legate/jwt';
import { createTestClock, START } from '@legate/service/testing';
import type { CallerSession, ExchangeToken } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { DiscoverResource } from '../../oauth-peers/discovery/cached-discovery.ts';
import { createTokenClient } from '../../oauth-peers/token-client.ts';
import { ALICE, connectorBy } from '../../testing/alice.ts';
import { createTokenExchangeMethod, type ExchangeProfile } from './method.ts';
import type { TokenExchangeSettings } from './settings.ts';

const IDP = 'https://idp.example';
const NOW = START.getTime() / 1000;
const TYPE = 'urn:ietf:params:oauth:token-type:';
const SETTINGS: TokenExchangeSettings = {
  method: 'token-exchange',
  audience: 'api://tools',
  tokenAudience: 'api://tools',
  issuer: undefined,
};
const clock = createTestClock();
const keys = await createSigningKeys({ alg: 'ES256', clock });
const HELD: ExchangeToken = { type: 'access_token', token: 'the-access-token' };

let sent: Record<string, string>[];
let answers: (() => Response | Promise<Response>)[];
let resource: Awaited<ReturnType<DiscoverResource>>;

const fetch: typeof globalThis.fetch = async (_input, init) => {
  sent.push(Object.fromEntries(new URLSearchParams(String(init?.body))));
  const answer = answers.shift();
  if (!answer) throw new Error('no answer');
  return answer();
};
const exchanged = async (claims: object = {}, change: object = {}) =>
  Response.json({
    access_token: await keys.sign(
      { iss: IDP, aud: 'api://tools', sub: ALICE.userId, exp: NOW + 600, ...claims },
      { typ: 'JWT' },
    ),
    issued_token_type: `${TYPE}access_token`,
    token_type: 'Bearer',
    expires_in: 600,
    ...change,
  });
const refused =
  (body: object, status = 400) =>
  () =>
    Response.json(body, { status });
const lists = (...authorizationServers: string[]) =>
  ({ kind: 'found', authorizationServers, scopesSupported: ['read', 'list'], maxAgeSeconds: 300 }) as const;

beforeEach(() => {
  sent = [];
  answers = [() => exchanged()];
  resource = lists('https://as.example', IDP);
});

interface Change {
  connector?: Partial<Connector>;
  settings?: Partial<TokenExchangeSettings>;
  kind?: KindName;
  profile?: Partial<ExchangeProfile> | null;
  exchangeToken?: ExchangeToken | undefined;
  session?: CallerSession;
  scopes?: readonly string[];
}

const createMethod = ({ kind = 'generic', profile = {} }: Change = {}) =>
  createTokenExchangeMethod({
    identityProvider: async () => ({
      kind: 'found',
      client: await createTokenClient({
        issuer: IDP,
        tokenEndpoint: `${IDP}/token`,
        clientId: 'hub',
        clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
        fetch,
      }),
      ...{ clientId: 'hub', metadata: { issuer: IDP } },
      sendsResource: true,
      explain: () => undefined,
    }),
    exchange: profile
      ? {
          ...{ flavour: 'token-exchange', userClaim: 'sub' },
          readRefusal: (refusal) => readRefusal(kind, 'exchange', refusal),
          isForbidden: (audience) => audience === 'forbidden',
          ...profile,
        }
      : undefined,
    discoverResource: async () => resource,
    clock,
    pause: async () => {},
    measureLeg: (_leg, work) => work(),
  });

const delegate = (change: Change = {}, method = createMethod(change)) => {
  const settings = { ...SETTINGS, ...change.settings };
  return method(
    {
      ...{ ...ALICE, session: change.session },
      exchangeToken: 'exchangeToken' in change ? change.exchangeToken : HELD,
    },
    { ...connectorBy(settings), ...change.connector },
    settings,
    change.scopes ?? [],
  );
};

describe('the request', () => {
  it("exchanges the user's access token by RFC 8693", async () => {
    expect(await delegate()).toMatchObject({
      outcome: 'granted',
      credential: { method: 'token-exchange', scopes: ['read'], expiresAt: NOW + 600 },
      facts: { usedMethod: 'token-exchange', audienceScoped: 'no' },
    });
    expect(sent).toEqual([
      {
        client_id: 'hub',
        client_secret: 'a-secret',
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: 'the-access-token',
        subject_token_type: `${TYPE}access_token`,
        requested_token_type: `${TYPE}access_token`,
        audience: 'api://tools',
        scope: 'read',
      },
    ]);
  });

  it.each<[string, readonly string[], string]>([
    ['unqualified scopes', ['read', 'list'], 'api://tools/read api://tools/list'],
    ['its own scopes', ['api://tools/read'], 'api://tools/read'],
    [
      'a scope of another audience',
      ['https://graph.example/Mail.Read'],
      'api://tools/https://graph.example/Mail.Read',
    ],
    ['no scopes', [], 'api://tools/.default'],
    ['only scopes of a sign-in', ['openid', 'offline_access'], 'api://tools/.default'],
  ])('acts on behalf of the user with %s', async (_case, scopes, scope) => {
    resource = { ...lists(IDP), scopesSupported: [] };
    answers = [() => exchanged({}, { issued_token_type: undefined, scope })];
    const profile = { flavour: 'on-behalf-of' } as const;
    expect(await delegate({ profile, connector: { scopes } })).toMatchObject({ outcome: 'granted' });
    expect(sent).toEqual([
      {
        client_id: 'hub',
        client_secret: 'a-secret',
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: 'the-access-token',
        requested_token_use: 'on_behalf_of',
        scope,
      },
    ]);
  });

  it('asks for no ID token and no refresh token, and drops one that it gets', async () => {
    answers = [() => exchanged({}, { refresh_token: 'rt' })];
    const granted = await delegate({ connector: { scopes: ['openid', 'read', 'offline_access'] } });
    expect(sent[0]?.scope).toBe('read');
    expect(JSON.stringify(granted)).not.toContain('"rt"');
  });

  it('is not made for an agent that is bound to scopes of a sign-in alone', async () => {
    const connector = { scopes: ['openid'], binding: { scopesKey: 'k' } };
    expect(await delegate({ connector })).toMatchObject({ outcome: 'denied', by: 'binding' });
    expect(sent).toEqual([]);
  });

  it('asks for the scopes of the resource if the connector has none', async () => {
    await delegate({ connector: { scopes: [] } });
    expect(sent[0]?.scope).toBe('read list');
  });

  it.each<[string, ExchangeToken | undefined]>([
    ['a bare ID token', undefined],
    ['a session without an access token', { type: 'access_token', lack: 'session' }],
    ['another token of the sign-in', { type: 'refresh_token', token: 'a-refresh-token' }],
  ])('is not made with %s', async (_case, exchangeToken) => {
    const delegation = await delegate({ exchangeToken });
    expect(delegation).toMatchObject({ outcome: 'expired', needsSession: 'access_token' });
    expect(delegation.facts).not.toHaveProperty('usedMethod');
    expect(sent).toEqual([]);
  });

  it.each<[string, ExchangeToken | undefined]>([
    ['none', undefined],
    ['another token', { type: 'refresh_token', token: 'a-refresh-token' }],
  ])(
    'is not made for a session that keeps %s, which no other session would change',
    async (_case, exchangeToken) => {
      expect(await delegate({ exchangeToken, session: { key: 'a-session' } })).toMatchObject({
        outcome: 'misconfigured',
        why: 'subject_token_type',
        reason: expect.stringContaining('IDP_SUBJECT_TOKEN_TYPE'),
      });
      expect(sent).toEqual([]);
    },
  );

  it('is repeated once after a failure of the provider', async () => {
    answers = [refused({}, 503), () => exchanged()];
    expect(await delegate()).toMatchObject({ outcome: 'granted' });
  });
});

it.each([{ audience: 'forbidden' }, { tokenAudience: 'forbidden' }])(
  'asks for no token of a forbidden audience: %j',
  async (settings) => {
    expect(await delegate({ settings })).toMatchObject({ outcome: 'misconfigured', by: 'idp' });
    expect(sent).toEqual([]);
  },
);

describe('it is unsupported', () => {
  it('without a request, if the provider exchanges no access tokens', async () => {
    expect(await delegate({ profile: null })).toMatchObject({ outcome: 'unsupported', by: 'idp' });
    expect(sent).toEqual([]);
  });

  it.each([
    ['lists another issuer', lists('https://as.example')],
    ['lists nobody', lists()],
    ['has no metadata', { kind: 'unsupported', reason: 'none' }],
  ] as const)('if the tool server %s', async (_case, found) => {
    resource = found;
    expect(await delegate()).toMatchObject({ outcome: 'unsupported', by: 'tool_server' });
    expect(sent).toEqual([]);
  });

  it('unless the connector pins the provider', async () => {
    resource = { kind: 'unsupported', reason: 'none' };
    expect(await delegate({ settings: { issuer: IDP } })).toMatchObject({ outcome: 'granted' });
  });

  it('not if the metadata cannot be read', async () => {
    resource = { kind: 'unavailable', reason: 'down', retryable: false };
    expect(await delegate()).toMatchObject({ outcome: 'unavailable', by: 'tool_server' });
  });
});

describe('before a fallback', () => {
  const connector = { methods: [SETTINGS, { method: 'service' }] } as const;
  beforeEach(() => {
    resource = lists('https://as.example');
  });

  it.each([
    ['denied', { error: 'access_denied' }],
    ['expired', { error: 'invalid_grant' }],
  ])('a user is %s by the provider, whatever the tool server lists', async (outcome, body) => {
    answers = [refused(body)];
    const delegation = await delegate({ connector });
    expect(delegation.outcome).toBe(outcome);
    expect(delegation.facts).not.toHaveProperty('usedMethod');
  });

  it('a token of another user is a fault, which leads to no service', async () => {
    answers = [() => exchanged({ sub: 'bob' })];
    expect((await delegate({ connector })).outcome).toBe('misconfigured');
  });

  it('the provider is asked once a minute', async () => {
    const method = createMethod();
    expect((await delegate({ connector }, method)).outcome).toBe('unsupported');
    expect((await delegate({ connector }, method)).outcome).toBe('unsupported');
    expect(sent).toHaveLength(1);
  });
});

describe('a refusal', () => {
  const CLAIMS = '{"access_token":{"capolids":{"essential":true,"values":["c1"]}}}';

  it.each<[string, KindName, object, object]>([
    [
      'for a stronger sign-in',
      'entra',
      { error: 'interaction_required', error_codes: [50076], claims: CLAIMS },
      { outcome: 'expired', claims: CLAIMS },
    ],
    [
      'for consent',
      'entra',
      { error: 'invalid_grant', suberror: 'consent_required', error_codes: [65001] },
      {
        outcome: 'denied',
        by: 'idp',
        reason: 'identity provider: invalid_grant, consent_required (65001)',
        hint: expect.stringContaining('must grant consent'),
      },
    ],
    [
      'of a revoked sign-in',
      'entra',
      { error: 'invalid_grant', error_codes: [50173] },
      { outcome: 'expired' },
    ],
    [
      'of a token for another audience',
      'entra',
      { error: 'invalid_grant', error_codes: [500131] },
      { outcome: 'misconfigured', by: 'idp' },
    ],
    [
      'of a scope',
      'entra',
      { error: 'invalid_scope' },
      {
        outcome: 'denied',
        why: 'scope_refused',
        reason: 'identity provider: invalid_scope: read of audience api://tools',
      },
    ],
    [
      'of the audience',
      'auth0',
      { error: 'invalid_target' },
      {
        outcome: 'denied',
        why: 'target_unknown',
        reason: 'identity provider: invalid_target: audience api://tools',
      },
    ],
    [
      'of a user without an assignment',
      'entra',
      { error: 'invalid_grant', error_codes: [50105] },
      { outcome: 'denied' },
    ],
    [
      'of an audience that is not in the token',
      'keycloak',
      { error: 'access_denied', error_description: 'Client is not within the token audience' },
      { outcome: 'misconfigured', by: 'idp' },
    ],
    ['of the user', 'keycloak', { error: 'access_denied' }, { outcome: 'denied', by: 'idp' }],
    ['of the client', 'generic', { error: 'unauthorized_client' }, { outcome: 'misconfigured', by: 'idp' }],
    ['of the grant', 'generic', { error: 'unsupported_grant_type' }, { outcome: 'unsupported', by: 'idp' }],
    [
      'of the type',
      'generic',
      { error: 'invalid_request', error_description: 'requested_token_type is unsupported' },
      { outcome: 'unsupported', by: 'idp' },
    ],
    [
      'of a loop',
      'entra',
      { error: 'invalid_grant', error_codes: [50196] },
      { outcome: 'unavailable', by: 'idp', retryable: false },
    ],
    ['with an unknown error', 'generic', { error: 'strange' }, { outcome: 'misconfigured', by: 'idp' }],
  ])('%s', async (_case, kind, body, expected) => {
    answers = [refused(body)];
    expect(await delegate({ kind })).toMatchObject(expected);
  });

  it.each([
    ['no JSON', 'redirect_uri=https://evil.example'],
    ['no object', '["a"]'],
    ['too long', JSON.stringify({ access_token: 'x'.repeat(5000) })],
    ['a megabyte', JSON.stringify({ access_token: 'x'.repeat(1_000_000) })],
    ['control characters', '{"a":"b\u0000"}'],
  ])('asks for another sign-in without claims that are %s', async (_case, claims) => {
    answers = [refused({ error: 'interaction_required', claims })];
    const delegation = await delegate();
    expect(delegation).toMatchObject({ outcome: 'expired' });
    expect(delegation).not.toHaveProperty('claims');
  });

  it.each([429, 500])('by status %d is an outage', async (status) => {
    answers = [refused({}, status), refused({}, status)];
    expect(await delegate()).toMatchObject({ outcome: 'unavailable', by: 'idp' });
  });
});

it.each<[string, object, object]>([
  ['another user', { sub: 'mallory' }, {}],
  ['another audience', { aud: 'other' }, {}],
  ['a broader scope', {}, { scope: 'read admin' }],
  ['another actor', { act: { sub: 'other' } }, {}],
])('drops a token of %s', async (_case, claims, change) => {
  answers = [() => exchanged(claims, change)];
  const delegation = await delegate();
  expect(delegation).toMatchObject({ outcome: 'misconfigured', by: 'idp' });
  expect(delegation).not.toHaveProperty('credential');
  expect(delegation.facts).not.toHaveProperty('usedMethod');
});
