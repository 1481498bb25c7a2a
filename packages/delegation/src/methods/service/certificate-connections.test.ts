import { beforeEach, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createTestClock, START, type TestClock } from '@legate/service/testing';
import { Agent } from 'undici';
import type { Connector } from '../../domain/connector.ts';
import type { CertificateKey } from '../../domain/method-settings.ts';
import { type CertificateConnections, createCertificateConnections } from './certificate-connections.ts';

const KEY: CertificateKey = {
  kind: 'mtls',
  certificate: 'a certificate',
  privateKey: 'its key',
  trustedCas: undefined,
  expiresAt: START.getTime() / 1000 + 3600,
};
const TOOLS: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'service' }],
  scopes: [],
};

let clock: TestClock;
let closed: Agent[];
let connections: CertificateConnections;

beforeEach(() => {
  clock = createTestClock();
  closed = [];
  connections = createCertificateConnections({
    open: () => {
      const dispatcher = new Agent();
      return { dispatcher, close: async () => void closed.push(dispatcher) };
    },
    clock,
  });
});

it('keeps the connections of a connector while it is unchanged', () => {
  const agent = connections.of(TOOLS, KEY);
  expect(connections.of(TOOLS, KEY)).toBe(agent);
  expect(connections.of({ ...TOOLS, scopes: ['other'] }, { ...KEY })).toBe(agent);
  expect(closed).toEqual([]);
});

it.each<[string, Partial<Connector>, Partial<CertificateKey>]>([
  ['its address', { mcpUrl: 'https://other.example/mcp' }, {}],
  ['its certificate', {}, { certificate: 'another certificate' }],
  ['its private key', {}, { privateKey: 'another key' }],
  ['whom it trusts', {}, { trustedCas: 'a root' }],
])(
  'opens new connections, and closes the old ones, when a connector has changed %s',
  (_case, connector, key) => {
    const agent = connections.of(TOOLS, KEY);
    expect(connections.of({ ...TOOLS, ...connector }, { ...KEY, ...key })).not.toBe(agent);
    expect(closed).toEqual([agent]);
  },
);

it.each<[string, Partial<Connector>]>([
  ['connectors', { id: ConnectorId.parse('con_other') }],
  ['organizations', { organizationId: OrganizationId.parse('org_globex') }],
])('shares no connections between two %s', (_case, change) => {
  const agent = connections.of(TOOLS, KEY);
  expect(connections.of({ ...TOOLS, ...change }, KEY)).not.toBe(agent);
  expect(connections.of(TOOLS, KEY)).toBe(agent);
});

it('has no connections for an expired certificate', () => {
  clock.advanceSeconds(3599);
  expect(connections.of(TOOLS, KEY)).toBeDefined();
  clock.advanceSeconds(1);
  expect(connections.of(TOOLS, KEY)).toBeUndefined();
});

it('drops only the connections of one connector or one organization', () => {
  const other = { ...TOOLS, id: ConnectorId.parse('con_other') };
  const foreign = { ...TOOLS, organizationId: OrganizationId.parse('org_globex') };
  const [tools, others, foreigns] = [TOOLS, other, foreign].map((connector) =>
    connections.of(connector, KEY),
  );
  connections.forget(OrganizationId.parse('org_acme'), ConnectorId.parse('con_tools'));
  expect(closed).toEqual([tools]);
  connections.forget(OrganizationId.parse('org_acme'));
  expect(closed).toEqual([tools, others]);
  expect(connections.of(foreign, KEY)).toBe(foreigns);
});

it('closes all connections at the end', async () => {
  const agents = [TOOLS, { ...TOOLS, id: ConnectorId.parse('con_other') }].map((connector) =>
    connections.of(connector, KEY),
  );
  await connections.close();
  expect(closed).toHaveLength(2);
  for (const agent of agents) expect(closed).toContain(agent);
});
