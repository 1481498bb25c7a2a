import { describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createLogger } from '@legate/service';
import type { Delegation } from './domain/delegation.ts';
import { createFallback } from './fallback.ts';
import type { AuthMethod } from './methods/facts.ts';
import type { MethodSettings, ServedConnector } from './methods/settings.ts';
import { ALICE, ID_JAG } from './testing/alice.ts';

const PASSTHROUGH: MethodSettings = { method: 'passthrough', acceptedAudiences: [] };
const SERVICE: MethodSettings = {
  method: 'service',
  key: { kind: 'api_key', header: 'x-key', value: 'a-key' },
};

const GRANTED: Delegation = {
  outcome: 'granted',
  credential: { kind: 'api_key', method: 'service', key: 'a-key', header: 'x-key', value: 'a-key' },
};
const UNSUPPORTED: Delegation = { outcome: 'unsupported', by: 'tool_server', reason: 'absent' };
const FINAL: readonly Delegation[] = [
  { outcome: 'denied', by: 'idp', scopes: [], reason: 'access_denied' },
  { outcome: 'denied', by: 'audience', scopes: [], reason: 'for another audience' },
  { outcome: 'expired', reason: 'invalid_grant' },
  { outcome: 'unavailable', by: 'idp', reason: 'no answer', retryable: true },
  { outcome: 'unavailable', by: 'tool_server', reason: 'no answer', retryable: false },
  { outcome: 'misconfigured', by: 'tool_server', reason: 'invalid_client' },
  GRANTED,
];

/** @param isBlocked true if the method has worked before, or an error if that cannot be read */
const recordOf = (
  isBlocked: boolean | Error = false,
  written: (what: 'used') => Promise<void> = async () => {},
) => ({
  write: () => written('used'),
  async blocksFallback() {
    if (isBlocked instanceof Error) throw isBlocked;
    return isBlocked;
  },
});

/** Returns the result, the outcomes of the tried methods, and the recorded uses. */
async function delegate(
  methods: ServedConnector['methods'],
  outcomes: { [Method in AuthMethod]?: Delegation },
  change: {
    connector?: Partial<ServedConnector>;
    scopes?: readonly string[];
    /** True if ID-JAGs, or users' consents, have worked before */
    isBlocked?: boolean | Error;
    isConsentBlocked?: boolean;
    isExchangeBlocked?: boolean;
    isReadOnly?: boolean;
  } = {},
) {
  const recorded: string[] = [];
  const recording = (method: string) => async (what: string) => {
    if (change.isReadOnly) throw new Error('connection refused');
    recorded.push(`${method} ${what}`);
  };
  const ran: string[] = [];
  const tried: string[] = [];
  const answering = (name: AuthMethod) => async (): Promise<Delegation> => {
    ran.push(name);
    return outcomes[name] ?? { outcome: 'misconfigured', by: 'idp', reason: 'must not be tried' };
  };
  const run = createFallback(
    {
      'id-jag': answering('id-jag'),
      'token-exchange': answering('token-exchange'),
      passthrough: answering('passthrough'),
      service: answering('service'),
      'oauth-pkce': answering('oauth-pkce'),
    },
    (method) => {
      const blocked: Partial<Record<string, boolean | Error | undefined>> = {
        'id-jag': change.isBlocked,
        'token-exchange': change.isExchangeBlocked,
        'oauth-pkce': change.isConsentBlocked,
      };
      return recordOf(blocked[method], recording(method));
    },
    createLogger({ service: 'test', level: 'silent' }),
  );
  const connector: ServedConnector = {
    id: ConnectorId.parse('con_a'),
    organizationId: OrganizationId.parse('org_acme'),
    resource: 'https://tools.example',
    mcpUrl: 'https://tools.example/mcp',
    methods,
    scopes: ['read'],
    ...change.connector,
  };
  const delegation = await run(ALICE, connector, change.scopes ?? [], (method, { outcome }) =>
    tried.push(`${method} ${outcome}`),
  );
  return { delegation, ran, tried, recorded };
}

it.each(FINAL.map((final) => [final.outcome, 'by' in final ? final.by : 'nobody', final] as const))(
  'tries no other method after %s (by %s)',
  async (outcome, _by, final) => {
    const { delegation, tried } = await delegate([ID_JAG, SERVICE, PASSTHROUGH], { 'id-jag': final });
    expect([delegation, tried]).toEqual([final, [`id-jag ${outcome}`]]);
  },
);

it.each(FINAL.map((final) => [final.outcome, final] as const))(
  'tries the next method after an unsupported one, and its %s is final',
  async (outcome, final) => {
    const { delegation, tried } = await delegate([ID_JAG, PASSTHROUGH, SERVICE], {
      'id-jag': UNSUPPORTED,
      passthrough: final,
      service: GRANTED,
    });
    expect([delegation, tried]).toEqual([final, ['id-jag unsupported', `passthrough ${outcome}`]]);
  },
);

it('tries the next method after one other than id-jag, whether or not ID-JAGs have worked before', async () => {
  const { delegation } = await delegate(
    [PASSTHROUGH, SERVICE],
    { passthrough: UNSUPPORTED, service: GRANTED },
    { isBlocked: true },
  );
  expect(delegation).toEqual(GRANTED);
});

it('tries no fallback and returns an outage if it is unknown whether ID-JAGs have worked before', async () => {
  const cause = new Error('connection refused');
  const { delegation, ran, tried } = await delegate(
    [ID_JAG, SERVICE],
    { 'id-jag': UNSUPPORTED, service: GRANTED },
    { isBlocked: cause },
  );
  expect(delegation).toMatchObject({ outcome: 'unavailable', by: 'store', unread: 'use_record', cause });
  expect([ran, tried]).toEqual([['id-jag'], ['id-jag unsupported', 'service unavailable']]);
});

it('tries no fallback after id-jag if ID-JAGs have worked before', async () => {
  const { delegation, ran, tried } = await delegate(
    [ID_JAG, SERVICE, PASSTHROUGH],
    { 'id-jag': UNSUPPORTED, service: GRANTED },
    { isBlocked: true },
  );
  expect([delegation.outcome, ran, tried]).toEqual([
    'denied',
    ['id-jag'],
    ['id-jag unsupported', 'service denied'],
  ]);
});

const CONSENT: MethodSettings = {
  method: 'oauth-pkce',
  clientId: 'hub',
  clientAuth: undefined,
  issuer: undefined,
};

it.each<[string, [MethodSettings, ...MethodSettings[]], string[]]>([
  ['service', [CONSENT, SERVICE], ['oauth-pkce']],
  ['passthrough', [CONSENT, PASSTHROUGH], ['oauth-pkce']],
  ['service behind both', [ID_JAG, CONSENT, SERVICE], ['id-jag', 'oauth-pkce']],
  ['service behind id-jag as its fallback', [CONSENT, ID_JAG, SERVICE], ['oauth-pkce', 'id-jag']],
])('tries no %s if users have consented before', async (_case, methods, tried) => {
  const absent = { 'id-jag': UNSUPPORTED, 'oauth-pkce': UNSUPPORTED };
  const { delegation, ran } = await delegate(
    methods,
    { ...absent, service: GRANTED },
    { isConsentBlocked: true },
  );
  expect([delegation, ran]).toEqual([
    { outcome: 'denied', by: 'fallback', scopes: [], reason: 'absent' },
    tried,
  ]);
});

it('asks no user to consent if ID-JAGs have worked before, because their organization decided about those', async () => {
  const { delegation, ran } = await delegate(
    [ID_JAG, CONSENT],
    { 'id-jag': UNSUPPORTED, 'oauth-pkce': GRANTED },
    { isBlocked: true },
  );
  expect([delegation.outcome, ran]).toEqual(['denied', ['id-jag']]);
});

it('tries ID-JAGs if users have consented before, because their organization decides about those too', async () => {
  const { ran } = await delegate(
    [CONSENT, ID_JAG],
    { 'oauth-pkce': UNSUPPORTED, 'id-jag': GRANTED },
    { isConsentBlocked: true },
  );
  expect(ran).toEqual(['oauth-pkce', 'id-jag']);
});

const EXCHANGE: MethodSettings = {
  method: 'token-exchange',
  audience: 'api://tools',
  tokenAudience: 'tools',
  issuer: undefined,
};

it.each<[string, MethodSettings]>([
  ['service', SERVICE],
  ['passthrough', PASSTHROUGH],
  ['oauth-pkce', CONSENT],
])('tries no %s if access tokens have been exchanged for the tool server before', async (_name, next) => {
  const { delegation, ran } = await delegate(
    [EXCHANGE, next],
    { 'token-exchange': UNSUPPORTED, [next.method]: GRANTED },
    { isExchangeBlocked: true },
  );
  expect([delegation.outcome, ran]).toEqual(['denied', ['token-exchange']]);
});

it('exchanges no access tokens if ID-JAGs have worked before, because those were for one tool server', async () => {
  const { delegation, ran } = await delegate(
    [ID_JAG, EXCHANGE],
    { 'id-jag': UNSUPPORTED, 'token-exchange': GRANTED },
    { isBlocked: true },
  );
  expect([delegation.outcome, ran]).toEqual(['denied', ['id-jag']]);
});

it('exchanges access tokens if users have consented before, because their organization decides about those', async () => {
  const { ran } = await delegate(
    [CONSENT, EXCHANGE],
    { 'oauth-pkce': UNSUPPORTED, 'token-exchange': GRANTED },
    { isConsentBlocked: true },
  );
  expect(ran).toEqual(['oauth-pkce', 'token-exchange']);
});

describe('the use of a method', () => {
  const TOKEN: Delegation = {
    outcome: 'granted',
    credential: {
      ...{ kind: 'access_token', method: 'oauth-pkce', accessToken: 'a-token' },
      ...{ expiresAt: undefined, scopes: [] },
    },
  };
  const DENIED: Delegation = { outcome: 'denied', by: 'idp', scopes: [], reason: 'access_denied' };
  const MUST_CONNECT: Delegation = { outcome: 'expired', reason: 'not connected', connect: { scopes: [] } };

  it.each<[string, MethodSettings, Delegation, string[]]>([
    ['an ID-JAG that was redeemed', ID_JAG, { ...TOKEN, facts: { usedMethod: 'id-jag' } }, ['id-jag used']],
    ['an ID-JAG that was denied', ID_JAG, { ...DENIED, facts: { usedMethod: 'id-jag' } }, ['id-jag used']],
    ['no ID-JAG, where none was redeemed', ID_JAG, { ...DENIED, facts: {} }, []],
    ['no ID-JAG, where no request was needed', ID_JAG, TOKEN, []],
    [
      'consent that a user was asked for',
      CONSENT,
      { ...MUST_CONNECT, facts: { usedMethod: 'oauth-pkce' } },
      ['oauth-pkce used'],
    ],
    [
      'consent whose token was refreshed',
      CONSENT,
      { ...TOKEN, facts: { usedMethod: 'oauth-pkce' } },
      ['oauth-pkce used'],
    ],
    ['no consent, where its token was cached', CONSENT, TOKEN, []],
    ['no consent, where a user has none', CONSENT, MUST_CONNECT, []],
    ['nothing of a service', SERVICE, GRANTED, []],
  ])('is recorded: %s', async (_case, settings, outcome, expected) => {
    const { delegation, recorded } = await delegate([settings], { [settings.method]: outcome });
    expect([delegation, recorded]).toEqual([outcome, expected]);
  });

  it('does not fail the call if it cannot be recorded', async () => {
    const used: Delegation = { ...TOKEN, facts: { usedMethod: 'id-jag' } };
    const { delegation } = await delegate([ID_JAG], { 'id-jag': used }, { isReadOnly: true });
    expect(delegation).toEqual(used);
  });
});

it('tries the methods in the order of the connector', async () => {
  const { tried } = await delegate([ID_JAG, SERVICE, PASSTHROUGH], {
    'id-jag': UNSUPPORTED,
    service: UNSUPPORTED,
    passthrough: UNSUPPORTED,
  });
  expect(tried).toEqual(['id-jag unsupported', 'service unsupported', 'passthrough unsupported']);
});

it('never tries a method that the connector does not list', async () => {
  const { delegation, ran } = await delegate([ID_JAG], { 'id-jag': UNSUPPORTED, service: GRANTED });
  expect([delegation, ran]).toEqual([UNSUPPORTED, ['id-jag']]);
});

it.each([PASSTHROUGH, SERVICE])('$method is allowed for an agent that has all scopes', async (settings) => {
  const binding = { scopesKey: undefined };
  const answers = { [settings.method]: GRANTED };
  expect((await delegate([settings], answers, { connector: { binding } })).delegation).toEqual(GRANTED);
});

it.each([PASSTHROUGH, SERVICE])('$method cannot be narrowed to the scopes of an agent', async (settings) => {
  const binding = { scopesKey: 'k' };
  const { delegation, ran } = await delegate([settings], {}, { connector: { binding } });
  expect([delegation, ran]).toEqual([expect.objectContaining({ outcome: 'denied', by: 'binding' }), []]);
});

it.each([PASSTHROUGH, SERVICE])("$method cannot be widened by a tool's step-up", async (settings) => {
  const { delegation, ran } = await delegate([settings], {}, { scopes: ['admin'] });
  expect([delegation, ran]).toEqual([
    expect.objectContaining({ outcome: 'denied', by: 'tool_server', scopes: ['admin'] }),
    [],
  ]);
});

it('an agent that is bound to scopes gets no broader scopes through a fallback', async () => {
  const binding = { scopesKey: 'k' };
  const { delegation, ran } = await delegate(
    [ID_JAG, SERVICE],
    { 'id-jag': UNSUPPORTED, service: GRANTED },
    { connector: { binding } },
  );
  expect([delegation.outcome, ran]).toEqual(['denied', ['id-jag']]);
});
