import { expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import type { Caller } from '../caller/caller.ts';
import type { Connector } from '../connectors/connector.ts';
import type { AuthMethod, MethodSettings } from '../connectors/method-settings.ts';
import type { Delegation, DelegationMethod } from './delegation.ts';
import { createFallback } from './fallback.ts';

const CALLER: Caller = {
  userId: 'user_alice',
  organizationId: 'org_acme',
  subjectToken: 'token',
  subjectTokenId: 'hash-of-it',
  audiences: ['frontend-app'],
  authentication: { client: 'frontend-app' },
};
const ID_JAG: MethodSettings = {
  method: 'id-jag',
  clientId: 'hub',
  clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret' },
  issuer: undefined,
  audience: undefined,
};
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

/** What comes out, and which methods were tried with what outcome. */
async function delegate(
  methods: Connector['methods'],
  outcomes: { [Method in AuthMethod]?: Delegation },
  change: { connector?: Partial<Connector>; scopes?: readonly string[]; isBlocked?: boolean | Error } = {},
) {
  const ran: string[] = [];
  const told: string[] = [];
  const answering =
    (name: keyof typeof outcomes): DelegationMethod =>
    async () => {
      ran.push(name);
      return outcomes[name] ?? { outcome: 'misconfigured', by: 'idp', reason: 'must not be tried' };
    };
  const run = createFallback(
    {
      'id-jag': answering('id-jag'),
      passthrough: answering('passthrough'),
      service: answering('service'),
      'oauth-pkce': answering('oauth-pkce'),
    },
    {
      write: async () => undefined,
      async blocksFallback() {
        if (change.isBlocked instanceof Error) throw change.isBlocked;
        return change.isBlocked ?? false;
      },
    },
    createLogger({ service: 'test', level: 'silent' }),
  );
  const connector: Connector = {
    id: 'con_a',
    organizationId: 'org_acme',
    name: 'A',
    resource: 'https://tools.example',
    mcpUrl: 'https://tools.example/mcp',
    methods,
    scopes: ['read'],
    ...change.connector,
  };
  const delegation = await run(CALLER, connector, change.scopes ?? [], (method, { outcome }) =>
    told.push(`${method} ${outcome}`),
  );
  return { delegation, ran, told };
}

it.each(FINAL.map((final) => [final.outcome, 'by' in final ? final.by : 'nobody', final] as const))(
  'nothing is tried after %s (by %s)',
  async (outcome, _by, final) => {
    const { delegation, told } = await delegate([ID_JAG, SERVICE, PASSTHROUGH], { 'id-jag': final });
    expect([delegation, told]).toEqual([final, [`id-jag ${outcome}`]]);
  },
);

it.each(FINAL.map((final) => [final.outcome, final] as const))(
  'after what does not exist the next one is tried, and its %s is final',
  async (outcome, final) => {
    const { delegation, told } = await delegate([ID_JAG, PASSTHROUGH, SERVICE], {
      'id-jag': UNSUPPORTED,
      passthrough: final,
      service: GRANTED,
    });
    expect([delegation, told]).toEqual([final, ['id-jag unsupported', `passthrough ${outcome}`]]);
  },
);

it('tries the next one after another method, whether or not ID-JAGs have worked before', async () => {
  const { delegation } = await delegate(
    [PASSTHROUGH, SERVICE],
    { passthrough: UNSUPPORTED, service: GRANTED },
    { isBlocked: true },
  );
  expect(delegation).toEqual(GRANTED);
});

it('is an outage, and tries no fallback, where it is not known whether ID-JAGs have worked before', async () => {
  const delegating = delegate(
    [ID_JAG, SERVICE],
    { 'id-jag': UNSUPPORTED, service: GRANTED },
    { isBlocked: new Error('connection refused') },
  );
  await expect(delegating).rejects.toMatchObject({ status: 503, code: 'token_store_unavailable' });
});

it('tries no fallback after id-jag where ID-JAGs have worked before', async () => {
  const { delegation, ran, told } = await delegate(
    [ID_JAG, SERVICE, PASSTHROUGH],
    { 'id-jag': UNSUPPORTED, service: GRANTED },
    { isBlocked: true },
  );
  expect([delegation.outcome, ran, told]).toEqual([
    'denied',
    ['id-jag'],
    ['id-jag unsupported', 'service denied'],
  ]);
});

it('the order is the connector’s', async () => {
  const { told } = await delegate([ID_JAG, SERVICE, PASSTHROUGH], {
    'id-jag': UNSUPPORTED,
    service: UNSUPPORTED,
    passthrough: UNSUPPORTED,
  });
  expect(told).toEqual(['id-jag unsupported', 'service unsupported', 'passthrough unsupported']);
});

it('what is not listed is never tried', async () => {
  const { delegation, ran } = await delegate([ID_JAG], { 'id-jag': UNSUPPORTED, service: GRANTED });
  expect([delegation, ran]).toEqual([UNSUPPORTED, ['id-jag']]);
});

it.each([[PASSTHROUGH], [SERVICE]])(
  '$method cannot be narrowed to the scopes of an agent',
  async (settings) => {
    const binding = { tools: undefined, scopesKey: 'k' };
    const { delegation, ran } = await delegate([settings], {}, { connector: { binding } });
    expect([delegation, ran]).toEqual([expect.objectContaining({ outcome: 'denied', by: 'binding' }), []]);
  },
);

it.each([[PASSTHROUGH], [SERVICE]])('$method cannot be widened by what a tool asks for', async (settings) => {
  const { delegation, ran } = await delegate([settings], {}, { scopes: ['admin'] });
  expect([delegation, ran]).toEqual([
    expect.objectContaining({ outcome: 'denied', by: 'tool_server', scopes: ['admin'] }),
    [],
  ]);
});

it('an agent that is bound to scopes gets nothing wider by way of a fallback', async () => {
  const binding = { tools: undefined, scopesKey: 'k' };
  const { delegation, ran } = await delegate(
    [ID_JAG, SERVICE],
    { 'id-jag': UNSUPPORTED, service: GRANTED },
    { connector: { binding } },
  );
  expect([delegation.outcome, ran]).toEqual(['denied', ['id-jag']]);
});
