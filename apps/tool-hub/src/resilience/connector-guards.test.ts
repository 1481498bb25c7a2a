import { beforeEach, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createLogger, createMetrics, type Metrics } from '@legate/service';
import type { Connector } from '../domain/connector.ts';
import {
  type ConnectorGuards,
  createConnectorGuards,
  type GuardedLeg,
  type Verdict,
} from './connector-guards.ts';

let metrics: Metrics;
let guards: ConnectorGuards;
let nowMs: number;
let calls = 0;

beforeEach(() => {
  nowMs = Date.parse('2026-08-01T12:00:00Z');
  metrics = createMetrics('tool-hub');
  guards = createConnectorGuards({
    limits: { maxConcurrent: 10, openSeconds: 10 },
    clock: () => new Date(nowMs),
    metrics: metrics.registry,
    log: createLogger({ service: 'tool-hub', level: 'silent' }),
    maxConnectors: 3,
  });
});

const connector = (id: string, change: Partial<Connector> = {}): Connector => ({
  id: ConnectorId.parse(id),
  organizationId: OrganizationId.parse('org_acme'),
  name: id,
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
  ...change,
});

const run = (of: Connector, leg: GuardedLeg, verdict: Verdict = 'well'): Promise<string> =>
  guards(of, leg).run<string>(
    `user_${++calls % 2}`,
    async () => verdict,
    (value) => value as Verdict,
    ({ why }) => why,
  );

async function breakIt(of: Connector, leg: GuardedLeg = 'tool_server') {
  for (let i = 0; i < 5; i += 1) await run(of, leg, 'failed');
  expect(await run(of, leg)).toBe('open');
}

it('separates connectors, organizations and the two legs of a connector', async () => {
  const one = connector('con_1');
  await breakIt(one);
  expect(await run(one, 'authorization_server')).toBe('well');
  expect(await run(connector('con_2'), 'tool_server')).toBe('well');
  expect(
    await run(connector('con_1', { organizationId: OrganizationId.parse('org_globex') }), 'tool_server'),
  ).toBe('well');
});

it('uses the same guards for a connector whose scopes are narrowed for an agent', async () => {
  await breakIt(connector('con_1'));
  expect(await run(connector('con_1', { scopes: ['a'] }), 'tool_server')).toBe('open');
});

it('creates new guards if the URL of a connector changes', async () => {
  await breakIt(connector('con_1'));
  expect(await run(connector('con_1', { mcpUrl: 'https://new.example/mcp' }), 'tool_server')).toBe('well');
});

it('exports metrics of opened breakers and of refused requests', async () => {
  await run(connector('con_2'), 'tool_server');
  await breakIt(connector('con_1'));
  const text = await metrics.registry.metrics();
  expect(text).toMatch(
    /connector_breaker_state\{organization_id="org_acme",connector_id="con_1",leg="tool_server".*\} 2/,
  );
  expect(text).not.toContain('con_2');
  expect(text).toMatch(/connector_refusals_total\{leg="tool_server",why="open".*\} 1/);
});

it('exports whether a breaker refuses or allows a probe, even without requests or while one request hangs', async () => {
  const state = async () =>
    /^connector_breaker_state\{.*\} (\d)$/m.exec(await metrics.registry.metrics())?.[1];
  const one = connector('con_1');
  await breakIt(one);
  expect(await state()).toBe('2');
  nowMs += 10_000; // no request is sent
  expect(await state()).toBe('1');
  let end: (verdict: Verdict) => void = () => {};
  const probe = guards(one, 'tool_server').run<string>(
    'user_alice',
    () => new Promise<Verdict>((resolve) => (end = resolve)),
    (value) => value as Verdict,
    ({ why }) => why,
  );
  expect(await state()).toBe('2');
  end('failed');
  await probe;
  expect(await state()).toBe('2');
  nowMs += 10_000;
  await run(one, 'tool_server', 'well');
  expect(await state()).toBe('0');
});

it('drops the least recently used connectors, and their metrics', async () => {
  await breakIt(connector('con_1'));
  for (const id of ['con_2', 'con_3', 'con_4']) await run(connector(id), 'tool_server');
  expect(await metrics.registry.metrics()).not.toContain('con_1');
  expect(await run(connector('con_1'), 'tool_server')).toBe('well');
});
