import { expect, it } from '@jest/globals';
import {
  createMetrics,
  failingGauge,
  keySetReads,
  observedGauge,
  Registry,
  rateLimitDecisions,
} from '../index.ts';

it('starts counters at 0, so that the first event is seen as an increase', async () => {
  const registry = new Registry();
  rateLimitDecisions(registry)('requests')('refused');
  keySetReads(registry)('https://idp.example');
  const lines = (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
  expect(lines).toEqual([
    'rate_limit_decisions_total{limit="requests",decision="allowed"} 0',
    'rate_limit_decisions_total{limit="requests",decision="refused"} 1',
    'jwks_reads_total{issuer="https://idp.example",outcome="read"} 0',
    'jwks_reads_total{issuer="https://idp.example",outcome="failed"} 0',
  ]);
});

it('reads gauges at each scrape, and a failed read does not affect other metrics', async () => {
  const registry = new Registry();
  let connections = 1;
  const gauge = (name: string, observe: () => Record<string, number>) =>
    observedGauge(registry, { name, help: name, label: 'state', observe });
  gauge('good', () => ({ idle: connections }));
  gauge('bad', () => {
    throw new Error('not to be had');
  });
  connections = 7;
  const text = await registry.metrics();
  expect(text).toContain('good{state="idle"} 7');
  expect(text).not.toContain('bad{');
});

it('shows the version and the runtime', async () => {
  const text = await createMetrics('test').registry.getSingleMetricAsString('build_info');
  expect(text).toMatch(/^build_info\{version="\d+\.\d+\.\d+",node="v\d+.*",service="test"\} 1$/m);
});

it('shows a failure until an attempt succeeds, or until a minute passes without an attempt', async () => {
  const registry = new Registry();
  let nowMs = 0;
  const failing = failingGauge(registry, { name: 'failing', help: '-', clock: () => new Date(nowMs) });
  const value = async () => /^failing (\d)$/m.exec(await registry.metrics())?.[1];
  expect(await value()).toBe('0');
  failing.failed();
  nowMs = 59_999;
  expect(await value()).toBe('1');
  failing.worked();
  expect(await value()).toBe('0');
  failing.failed();
  nowMs += 60_000;
  expect(await value()).toBe('0');
});
