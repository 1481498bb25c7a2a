import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { PutAgentConnector } from '../bindings/agent-connector.ts';
import { Connector } from './connector.ts';

let api: TestApi;
let acme: Client;
beforeAll(async () => {
  api = await createTestApi();
  acme = await clientOf(api, 'org_acme', { roles: ['admin'] });
});
afterAll(() => api.close());

const RUNS = runs(75);
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const graphemes = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
const anyUrl = fc.oneof(
  anyText,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.ipV4Extended().map((address) => `https://${address}`),
  fc.ipV6().map((address) => `https://[${address}]/`),
  fc.webAuthority({ withUserInfo: true, withPort: true }).map((authority) => `https://${authority}`),
);
/** One invalid field would hide the effect of another, so each is tested alone. */
const mostly = <Good, Bad>(good: fc.Arbitrary<Good>, bad: fc.Arbitrary<Bad>) =>
  fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: bad });
const anyConnector = fc.record({
  name: mostly(graphemes, anyText),
  resource_url: mostly(fc.webUrl({ validSchemes: ['https'] }), anyUrl),
  auth_method: mostly(fc.constant('id-jag'), fc.constantFrom('service', 'oauth-pkce', 'passthrough')),
  service_kind: mostly(fc.constant(null), fc.constantFrom('mtls', 'api_key')),
  client_id: mostly(fc.constant('hub'), fc.option(anyText)),
  scopes: mostly(fc.constantFrom([], ['a{},NULL']), fc.array(anyText, { maxLength: 3 })),
  secret: mostly(fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }), anyText),
  acknowledge_legacy: fc.boolean(),
  fallback: mostly(fc.constant([]), fc.subarray(['passthrough', 'service', 'oauth-pkce', 'id-jag'])),
  passthrough_audiences: mostly(fc.constant([]), fc.array(anyText, { maxLength: 3 })),
  api_key_header: mostly(fc.constant(null), fc.oneof(anyText, fc.constantFrom('X-Key', 'Host'))),
  issuer: mostly(fc.constant(null), fc.oneof(anyText, fc.constantFrom('https://as.example/', 'http://as'))),
  ca_certificates: mostly(fc.constant(null), anyText),
  fallback_secret: mostly(
    fc.constant(undefined),
    fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }),
  ),
});

const GOOD = {
  ...{ name: 'Tools', resource_url: 'https://tools.example/good', auth_method: 'id-jag' as const },
  ...{ service_kind: null, client_id: 'hub', scopes: [], secret: 'a-secret-of-some-length' },
  ...{ acknowledge_legacy: false, fallback: [], passthrough_audiences: [], api_key_header: null },
  ...{ issuer: null, ca_certificates: null, fallback_secret: undefined },
};

it('returns a connector or a problem for any input, also after a change', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(anyConnector, anyConnector, async (wanted, patch) => {
      const created = await acme('post', '/connectors', wanted);
      expect([201, 400, 409]).toContain(created.status);
      const its = `/connectors/${created.body.id ?? 'con_none'}`;
      const changed = await acme('patch', its, patch);
      expect([200, 400, 404, 409]).toContain(changed.status);
      for (const answer of [created, changed]) {
        statuses.add(answer.status);
        if (answer.status < 300) Connector.parse(answer.body);
        else expect(answer.type).toBe('application/problem+json');
      }
    }),
    { ...RUNS, examples: [[GOOD, GOOD]] }, // with only a few attempts, all might be refused
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400]));
});

it('stores any accepted input', async () => {
  const resource_url = 'https://mcp.acme.com';
  const body = { name: 'C', resource_url, auth_method: 'oauth-pkce', client_id: 'hub' };
  const connector = (await acme('post', '/connectors', body)).body.id;
  const agent = (await acme('post', '/agents', { name: 'A' })).body.id;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(graphemes, anyText), { maxLength: 5 }), async (tools) => {
      const answer = await acme('put', `/agents/${agent}/connectors/${connector}`, { tools });
      expect([200, 201, 400]).toContain(answer.status);
      if (answer.status === 400) expect(PutAgentConnector.safeParse({ tools }).success).toBe(false);
      else expect(answer.body.tools).toEqual([...new Set(tools)]);
    }),
    RUNS,
  );
});
