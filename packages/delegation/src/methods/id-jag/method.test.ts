import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createSigningKeys, tokenId } from '@legate/jwt';
import { createTestClock, START } from '@legate/service/testing';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Refusal } from '../../domain/delegation.ts';
import type { ToolServerDiscovery } from '../../oauth-peers/discovery/discover-tool-server.ts';
import type { IdentityProvider } from '../../oauth-peers/identity-provider.ts';
import { createTokenClient } from '../../oauth-peers/token-client.ts';
import { createIdJagMethod } from './method.ts';
import type { IdJagSettings } from './settings.ts';
import { createUserPolicy, type UserPolicy } from './user-policy.ts';

const IDP = 'https://idp.example';
const TOOLS = 'https://tools.example';
const NOW = START.getTime() / 1000;
const CALLER: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'the-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'app' },
};
const SETTINGS: IdJagSettings = {
  method: 'id-jag',
  clientId: 'hub-at-tools',
  clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
  issuer: undefined,
  audience: undefined,
};
const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  resource: TOOLS,
  mcpUrl: `${TOOLS}/mcp`,
  methods: [SETTINGS],
  scopes: ['read'],
};
const WITH_FALLBACK: Connector = {
  ...CONNECTOR,
  methods: [SETTINGS, { method: 'passthrough' }],
};
const FOUND: ToolServerDiscovery & { kind: 'found' } = {
  kind: 'found',
  toolServer: {
    issuer: TOOLS,
    tokenEndpoint: `${TOOLS}/token`,
    authMethods: ['client_secret_post', 'client_secret_basic'],
    audience: TOOLS,
    scopesSupported: ['read', 'list'],
    maxAgeSeconds: 300,
  },
};

const clock = createTestClock();
const keys = await createSigningKeys({ alg: 'ES256', clock });

let discovery: ToolServerDiscovery;
/** The `Authorization` headers of the requests */
let basics: (string | null)[];
let provider: IdentityProvider;
let sent: Record<string, string>[];
/** Responses of the two token endpoints, in the order of the requests to each */
let exchanges: (() => Response | Promise<Response>)[];
let redemptions: (() => Response)[];
let policy: UserPolicy;
let asked: number;
let paused: unknown[];

const fetch: typeof globalThis.fetch = async (input, init) => {
  const form = Object.fromEntries(new URLSearchParams(String(init?.body)));
  sent.push({ to: String(input), ...form });
  basics.push(new Headers(init?.headers).get('authorization'));
  const answer = (String(input).startsWith(IDP) ? exchanges : redemptions).shift();
  if (!answer) throw new Error('no answer');
  return answer();
};
const idJag = (claims: object = {}) =>
  keys.sign(
    {
      iss: IDP,
      sub: 'user_alice',
      organization_id: 'org_acme',
      aud: TOOLS,
      client_id: 'hub-at-tools',
      jti: 'j1',
      iat: NOW,
      exp: NOW + 300,
      ...claims,
    },
    { typ: 'oauth-id-jag+jwt' },
  );
const exchanged = async (claims: object = {}, change: object = {}) =>
  Response.json({
    access_token: await idJag(claims),
    issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    token_type: 'N_A',
    expires_in: 300,
    ...change,
  });
const redeemed = () =>
  Response.json({ access_token: 'at', token_type: 'Bearer', expires_in: 3600, scope: 'read' });
const error = (code: string, status = 400) => Response.json({ error: code }, { status });

beforeEach(async () => {
  discovery = FOUND;
  sent = [];
  basics = [];
  asked = 0;
  paused = [];
  exchanges = [() => exchanged()];
  redemptions = [redeemed];
  policy = async () => undefined;
  provider = {
    kind: 'found',
    client: await createTokenClient({
      issuer: IDP,
      tokenEndpoint: `${IDP}/token`,
      clientId: 'hub',
      clientAuth: { method: 'client_secret_post', clientSecret: 'secret-at-the-idp' },
      fetch,
    }),
    ...{ clientId: 'hub', metadata: { issuer: IDP } },
    sendsResource: true,
    explain: () => undefined,
  };
});

const delegate = (connector = CONNECTOR, scopes: readonly string[] = [], settings = SETTINGS) =>
  createIdJagMethod({
    identityProvider: async () => provider,
    idJagOrganization: 'required',
    organizationRule: { claim: 'organization_id' },
    discover: async () => discovery,
    policy: (...args) => {
      asked += 1;
      return policy(...args);
    },
    fetch,
    clock,
    pause: async (seconds) => void paused.push(seconds),
    measureLeg: (_leg, work) => work(),
  })(CALLER, connector, settings, scopes);

it('exchanges the ID token for an ID-JAG, and redeems the ID-JAG at the tool server', async () => {
  const delegation = await delegate();
  expect(delegation).toMatchObject({
    outcome: 'granted',
    credential: { method: 'id-jag', accessToken: 'at', expiresAt: NOW + 3600, scopes: ['read'] },
    facts: { usedMethod: 'id-jag', idpMs: expect.any(Number), authorizationServerMs: expect.any(Number) },
  });
  const [exchange, redemption] = sent;
  expect(exchange).toEqual({
    to: `${IDP}/token`,
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: 'hub',
    client_secret: 'secret-at-the-idp',
    subject_token: 'the-id-token',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    audience: TOOLS,
    resource: TOOLS,
    scope: 'read',
  });
  expect(redemption).toEqual({
    to: `${TOOLS}/token`,
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    client_id: 'hub-at-tools',
    client_secret: 'a-secret',
    assertion: expect.any(String),
    resource: TOOLS,
    scope: 'read',
  });
  expect(delegation.facts?.idJagId).toBe(tokenId(redemption?.assertion ?? ''));
});

it('names no resource to an identity provider that takes none', async () => {
  if (provider.kind === 'found') provider = { ...provider, sendsResource: false };
  expect(await delegate()).toMatchObject({ outcome: 'granted' });
  expect(sent[0]).toMatchObject({ audience: TOOLS });
  expect(sent[0]).not.toHaveProperty('resource');
});

it('reports how many milliseconds each of the two requests took', async () => {
  let nowMs = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  exchanges = [
    () => {
      nowMs += 40;
      return exchanged();
    },
  ];
  redemptions = [
    () => {
      nowMs += 70;
      return redeemed();
    },
  ];
  const { facts } = await delegate();
  jest.restoreAllMocks();
  expect([facts?.idpMs, facts?.authorizationServerMs]).toEqual([40, 70]);
});

describe('asks for the scopes', () => {
  it.each<[string, readonly string[], readonly string[], readonly string[], string | undefined]>([
    ['of the connector, and those of a step-up', ['read'], ['list'], ['write', 'read'], 'read write'],
    ['that the tool server has, where the connector names none', [], ['read', 'list'], [], 'read list'],
    ['of nobody, where there are none', [], [], [], undefined],
  ])('%s', async (_case, scopes, scopesSupported, extra, wanted) => {
    discovery = { ...FOUND, toolServer: { ...FOUND.toolServer, scopesSupported } };
    await delegate({ ...CONNECTOR, scopes }, extra);
    expect(sent[0]?.scope).toBe(wanted);
  });
});

describe('authenticates at the token endpoint', () => {
  const clientSecret = 'a-secret';
  const IN_BODY = [clientSecret, null];
  const BASIC = [undefined, `Basic ${Buffer.from('hub-at-tools:a-secret').toString('base64')}`];

  async function authenticated(
    method: 'client_secret' | 'client_secret_post' | 'client_secret_basic',
    authMethods: readonly string[] | undefined,
  ) {
    discovery = { ...FOUND, toolServer: { ...FOUND.toolServer, authMethods } };
    const settings = { ...SETTINGS, clientAuth: { method, clientSecret } };
    expect(await delegate(CONNECTOR, [], settings)).toMatchObject({ outcome: 'granted' });
    return [sent[1]?.client_secret, basics[1]];
  }

  it.each<[string, readonly string[] | undefined, typeof IN_BODY]>([
    ['in the body where both are offered', ['client_secret_basic', 'client_secret_post'], IN_BODY],
    ['in the body where only that is offered', ['client_secret_post'], IN_BODY],
    ['in the body without metadata', undefined, IN_BODY],
    ['by Basic where only that is offered', ['private_key_jwt', 'client_secret_basic'], BASIC as string[]],
  ])('as the metadata has it: %s', async (_case, authMethods, expected) => {
    expect(await authenticated('client_secret', authMethods)).toEqual(expected);
  });

  it('as configured, whatever the metadata lists', async () => {
    expect(await authenticated('client_secret_post', ['client_secret_basic'])).toEqual(IN_BODY);
    [sent, basics, exchanges, redemptions] = [[], [], [() => exchanged()], [redeemed]];
    expect(await authenticated('client_secret_basic', ['client_secret_post'])).toEqual(BASIC);
  });

  it.each<[readonly string[] | undefined, string]>([
    [['client_secret_basic'], 'its metadata offers client_secret_basic'],
    [['<b>client_secret_basic</b>'], 'its metadata offers no method that the hub supports'],
    [undefined, 'it has no metadata'],
  ])(
    'and reports the method if the client is refused and the metadata lists %j',
    async (authMethods, expected) => {
      discovery = { ...FOUND, toolServer: { ...FOUND.toolServer, authMethods } };
      redemptions = [() => error('invalid_client', 401)];
      expect(await delegate()).toMatchObject({
        outcome: 'misconfigured',
        by: 'tool_server',
        reason: `tool server: invalid_client, for a client that authenticated by client_secret_post; ${expected}. Compare client_id, secret and token_endpoint_auth_method with the registration there`,
      });
    },
  );
});

describe('asks with the ID-JAG for', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string | undefined]>([
    ['its scopes', { scope: 'read list' }, {}, 'read list'],
    ['its scopes, if they are fewer than those asked for', { scope: 'read' }, {}, 'read'],
    ['the scopes of the response, if it names none', { scope: undefined }, { scope: 'read' }, 'read'],
    ['those asked for, if nobody names any', { scope: undefined }, {}, 'read list'],
    ['those asked for, if it names an empty list', { scope: '' }, { scope: null }, 'read list'],
  ])('%s', async (_case, claims, response, wanted) => {
    exchanges = [() => exchanged(claims, response)];
    await delegate({ ...CONNECTOR, scopes: ['read', 'list'] });
    expect(sent[1]).toMatchObject({ assertion: expect.any(String), resource: TOOLS });
    expect(sent[1]?.scope).toBe(wanted);
  });
});

it('labels a token with no scopes if nobody has named any, so that it counts as sufficient for none', async () => {
  redemptions = [() => Response.json({ access_token: 'at', token_type: 'Bearer', expires_in: 3600 })];
  expect(await delegate()).toMatchObject({ outcome: 'granted', credential: { scopes: [] } });
});

it.each([
  ['the provider, if it has named our client as the actor', { act: { sub: 'hub' } }, 'provider'],
  ['nobody, if it has named no actor', {}, undefined],
])('reports as the one that named an actor %s', async (_case, claims, actor) => {
  exchanges = [() => exchanged(claims)];
  const { outcome, facts } = await delegate();
  expect([outcome, facts?.actor]).toEqual(['granted', actor]);
});

it.each([
  ['invalid_grant', 'misconfigured'],
  ['invalid_request', 'misconfigured'],
  ['invalid_target', 'misconfigured'],
  ['access_denied', 'denied'],
])('tries nothing else if the tool server answers %s', async (code, outcome) => {
  redemptions = [() => error(code)];
  exchanges.push(() => exchanged({ jti: 'j2' }));
  expect(await delegate()).toMatchObject({ outcome, by: 'tool_server' });
  expect(sent).toHaveLength(2);
});

it('returns scopes that the tool server refuses as a denial that contains them', async () => {
  redemptions = [() => Response.json({ error: 'invalid_scope' }, { status: 400 })];
  expect(await delegate()).toMatchObject({
    outcome: 'denied',
    ...{ by: 'tool_server', why: 'scope_refused', scopes: ['read'] },
  });
  expect(sent).toHaveLength(2);
});

describe('never sends a token to another party', () => {
  it.each([
    ['another client', { client_id: 'another' }],
    ['another server', { aud: 'https://evil.example' }],
    ['another organization', { organization_id: 'org_globex' }],
    ['another resource', { resource: 'https://evil.example' }],
    ['more scopes', { scope: 'read admin' }],
    ['another actor', { act: { sub: 'another-client' } }],
    ['the holder of a key', { cnf: { jkt: 'abc' } }],
  ])('an ID-JAG for %s', async (_case, claims) => {
    exchanges = [() => exchanged(claims)];
    expect(await delegate()).toMatchObject({ outcome: 'misconfigured', by: 'idp' });
    expect(sent).toHaveLength(1);
  });

  it('an ID-JAG for an alias, unless the alias resolves to the authorization server', async () => {
    discovery = { ...FOUND, toolServer: { ...FOUND.toolServer, audience: 'urn:tools' } };
    exchanges = [() => exchanged({ aud: TOOLS })];
    expect(await delegate()).toMatchObject({ outcome: 'granted' });
    exchanges = [() => exchanged({ aud: IDP })];
    expect(await delegate()).toMatchObject({ outcome: 'misconfigured', by: 'idp' });
  });

  it.each([
    ['is no bearer token', { token_type: 'DPoP' }],
    ['has more scopes than the ID-JAG', { scope: 'read write' }],
    ['is for another resource', { resource: 'https://other.example' }],
  ])('an access token that %s', async (_case, change) => {
    const answer = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, scope: 'read', ...change };
    redemptions = [() => Response.json(answer)];
    expect(await delegate()).toMatchObject({ outcome: 'misconfigured', by: 'tool_server' });
  });
});

describe('a refusal', () => {
  it('of the identity provider is a denial, and shows that the tool server supports ID-JAGs', async () => {
    exchanges = [() => error('access_denied')];
    expect(await delegate()).toMatchObject({
      outcome: 'denied',
      by: 'idp',
      scopes: ['read'],
      facts: { usedMethod: 'id-jag' },
    });
  });

  it('of the tool server is a denial too, and also shows that it supports ID-JAGs', async () => {
    redemptions = [() => error('access_denied')];
    expect(await delegate()).toMatchObject({
      outcome: 'denied',
      by: 'tool_server',
      facts: { usedMethod: 'id-jag' },
    });
  });

  it('that is a configuration fault does not show that the tool server supports ID-JAGs', async () => {
    redemptions = [() => error('invalid_client', 401)];
    const { outcome, facts } = await delegate();
    expect([outcome, facts?.usedMethod]).toEqual(['misconfigured', undefined]);
  });

  it('because of an unusable private key is a configuration fault', async () => {
    const settings: IdJagSettings = {
      ...SETTINGS,
      clientAuth: { method: 'private_key_jwt', privateJwk: { kty: 'oct', k: 'x' } },
    };
    const method = createIdJagMethod({
      identityProvider: async () => provider,
      idJagOrganization: 'required',
      organizationRule: { claim: 'organization_id' },
      discover: async () => discovery,
      policy,
      fetch,
      clock,
      pause: async () => {},
      measureLeg: (_leg, work) => work(),
    });
    expect(await method(CALLER, CONNECTOR, settings, [])).toMatchObject({
      outcome: 'misconfigured',
      by: 'tool_server',
    });
  });
});

it.each([
  ['reports an identity provider that leaves the agent out', {}, 1],
  ['is content with one that names the agent', { act: { sub: 'agt_support' } }, 0],
])('%s', async (_case, claims, times) => {
  exchanges = [() => exchanged(claims)];
  const onActorIgnored = jest.fn();
  const method = createIdJagMethod({
    identityProvider: async () => provider,
    idJagOrganization: 'required',
    organizationRule: { claim: 'organization_id' },
    proveActor: async () => ({ token: 'actor-token', act: { sub: 'agt_support' } }) as never,
    onActorIgnored,
    discover: async () => discovery,
    policy,
    fetch,
    clock,
    pause: async () => {},
    measureLeg: (_leg, work) => work(),
  });
  expect(await method(CALLER, CONNECTOR, SETTINGS, [])).toMatchObject({ outcome: 'granted' });
  expect(onActorIgnored).toHaveBeenCalledTimes(times);
});

describe('a temporary failure', () => {
  it('is retried once, with a new ID-JAG, after the requested time', async () => {
    redemptions = [() => new Response(null, { status: 503, headers: { 'Retry-After': '1' } }), redeemed];
    exchanges.push(() => exchanged({ jti: 'j2' }));
    expect(await delegate()).toMatchObject({ outcome: 'granted' });
    expect(paused).toEqual([1]);
    expect(sent[1]?.assertion).not.toBe(sent[3]?.assertion);
  });

  it('is not tried a third time', async () => {
    exchanges = [1, 2, 3].map(() => () => error('server_error', 500));
    expect(await delegate()).toMatchObject({ outcome: 'unavailable', by: 'idp' });
    expect(sent).toHaveLength(2);
  });

  it('is not retried if the requested time is long, or if a retry would not help', async () => {
    exchanges = [() => new Response(null, { status: 503, headers: { 'Retry-After': '600' } })];
    expect(await delegate()).toMatchObject({ outcome: 'unavailable' });
    exchanges = [() => new Response(null, { status: 429 })];
    expect(await delegate()).toMatchObject({ outcome: 'unavailable' });
    expect([sent.length, paused]).toEqual([2, []]);
  });

  it('includes an identity provider that was not found', async () => {
    provider = { kind: 'unavailable', reason: 'connection refused', retryable: false };
    expect(await delegate()).toMatchObject({
      outcome: 'unavailable',
      by: 'idp',
      reason: 'identity provider: connection refused',
      retryable: false,
    });
  });
});

describe('when the tool server offers no way to redeem an ID-JAG', () => {
  const DENIED: Refusal = { outcome: 'denied', by: 'idp', scopes: [], reason: 'access_denied' };
  const AWAY: Refusal = { outcome: 'unavailable', by: 'idp', reason: 'no answer', retryable: false };
  const UNSUPPORTED: ToolServerDiscovery = { kind: 'unsupported', reason: 'none' };
  const UNAVAILABLE: ToolServerDiscovery = { kind: 'unavailable', reason: 'status 403', retryable: false };

  it.each([UNSUPPORTED, UNAVAILABLE])('a denied user is denied: $kind', async (found) => {
    discovery = found;
    policy = async () => DENIED;
    expect(await delegate(WITH_FALLBACK)).toMatchObject(DENIED);
  });

  it('a user who is not denied gets the outcome of the tool server', async () => {
    discovery = UNSUPPORTED;
    expect(await delegate(WITH_FALLBACK)).toMatchObject({ outcome: 'unsupported', by: 'tool_server' });
    discovery = UNAVAILABLE;
    expect(await delegate(WITH_FALLBACK)).toMatchObject({ outcome: 'unavailable', by: 'tool_server' });
    expect(asked).toBe(2);
  });

  it('an outage of the identity provider prevents the fallback', async () => {
    policy = async () => AWAY;
    discovery = UNSUPPORTED;
    expect(await delegate(WITH_FALLBACK)).toMatchObject({ outcome: 'unavailable', by: 'idp' });
    discovery = UNAVAILABLE;
    expect(await delegate(WITH_FALLBACK)).toMatchObject({ outcome: 'unavailable', by: 'tool_server' });
  });

  it('the provider is not asked about a user without a fallback, or with unusable metadata', async () => {
    policy = async () => DENIED;
    discovery = UNSUPPORTED;
    expect(await delegate()).toMatchObject({ outcome: 'unsupported' });
    discovery = { kind: 'unusable', reason: 'another issuer' };
    expect(await delegate(WITH_FALLBACK)).toMatchObject({ outcome: 'misconfigured', by: 'tool_server' });
    expect(asked).toBe(0);
  });
});

describe("the identity provider's answer about a user", () => {
  const ask = (connector = CONNECTOR, settings = SETTINGS) =>
    createUserPolicy({ identityProvider: async () => provider, clock })(CALLER, connector, settings);

  it.each([
    ['access_denied', 'denied'],
    ['invalid_grant', 'expired'],
    ['insufficient_user_authentication', 'expired'],
    ['temporarily_unavailable', 'unavailable'],
    ['slow_down', 'unavailable'],
  ])('%s is %s', async (code, outcome) => {
    exchanges = [() => error(code)];
    expect(await ask()).toMatchObject({ outcome });
  });

  it('is requested like in a delegation, and the ID-JAG is dropped', async () => {
    expect(await ask()).toBeUndefined();
    expect(sent).toMatchObject([
      { subject_token: 'the-id-token', audience: TOOLS, resource: TOOLS, scope: 'read' },
    ]);
    exchanges = [() => exchanged()];
    await ask({ ...CONNECTOR, scopes: [] });
    expect(sent[1]).not.toHaveProperty('scope');
  });

  it.each(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'])(
    'is not a denial if it does not support ID-JAGs: %s',
    async (code) => {
      exchanges = [() => error(code)];
      expect(await ask(CONNECTOR, { ...SETTINGS, issuer: 'https://as.example' })).toBeUndefined();
      expect(sent).toHaveLength(1);
    },
  );

  it('is requested for the issuer, too, if the resource is not an audience', async () => {
    exchanges = [() => error('invalid_target'), () => error('access_denied')];
    const refusal = await ask(CONNECTOR, { ...SETTINGS, issuer: 'https://as.example' });
    expect(refusal).toMatchObject({ outcome: 'denied' });
    expect(sent.map(({ audience }) => audience)).toEqual([TOOLS, 'https://as.example']);
  });

  it.each<[string, Partial<IdJagSettings>, string[]]>([
    [
      'the audience that the connector has',
      { audience: 'https://a.example', issuer: 'https://as.example' },
      ['https://a.example'],
    ],
    ['the resource once, which is its own issuer', { issuer: TOOLS }, [TOOLS]],
    ['the resource, where no issuer is known', { issuer: undefined }, [TOOLS]],
  ])('is requested only for %s', async (_case, change, audiences) => {
    exchanges = [1, 2].map(() => () => error('invalid_target'));
    expect(await ask(CONNECTOR, { ...SETTINGS, ...change })).toBeUndefined();
    expect(sent.map(({ audience }) => audience)).toEqual(audiences);
  });

  it('is unknown while the identity provider is down', async () => {
    provider = { kind: 'unavailable', reason: 'connection refused', retryable: true };
    expect(await ask()).toMatchObject({ outcome: 'unavailable', by: 'idp' });
    provider = { kind: 'unusable', reason: 'no metadata' };
    expect(await ask()).toBeUndefined();
  });

  it('is cached for a minute if it is no denial, but not for another token or other scopes', async () => {
    const policyOf = createUserPolicy({ identityProvider: async () => provider, clock });
    exchanges = [1, 2, 3, 4, 5, 6].map(() => () => exchanged());
    await policyOf(CALLER, CONNECTOR, SETTINGS);
    await policyOf(CALLER, { ...CONNECTOR, id: ConnectorId.parse('con_other') }, SETTINGS);
    expect(sent).toHaveLength(1);
    await policyOf({ ...CALLER, subjectTokenId: 'another' }, CONNECTOR, SETTINGS);
    await policyOf(CALLER, { ...CONNECTOR, scopes: ['write'] }, SETTINGS);
    await policyOf(CALLER, { ...CONNECTOR, resource: 'https://other.example' }, SETTINGS);
    await policyOf(CALLER, CONNECTOR, { ...SETTINGS, audience: 'https://a.example' });
    expect(sent).toHaveLength(5);
    clock.advanceSeconds(60);
    await policyOf(CALLER, CONNECTOR, SETTINGS);
    expect(sent).toHaveLength(6);
  });

  it('is requested again after a denial', async () => {
    const policyOf = createUserPolicy({ identityProvider: async () => provider, clock });
    exchanges = [1, 2].map(() => () => error('access_denied'));
    await policyOf(CALLER, CONNECTOR, SETTINGS);
    await policyOf(CALLER, CONNECTOR, SETTINGS);
    expect(sent).toHaveLength(2);
  });
});
