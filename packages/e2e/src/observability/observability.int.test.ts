import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exchange, type ServiceName, scene, signIn } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { eventually, needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { Exposed } from './exposition.ts';
import { parseQuery } from './promql.ts';
import { readQueries, readRecordings, readText } from './queries.ts';

/** Tests the metrics and log lines that dashboards, alerts and people use, on a running stack. */

const { describe } = needs('time');
const SERVICES = ['mock-idp', 'reference-mcp-server', 'management-api', 'tool-hub', 'console'] as const;
/** Services that take part in a tool call */
const CALLED = ['mock-idp', 'reference-mcp-server', 'management-api', 'tool-hub'] as const;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

let stack: StackUnderTest;
/** `X-Request-Id` of a tool call whose caller sent neither a trace nor an id */
let requestId: string;
const exposed = new Exposed();
const logs = new Map<ServiceName, readonly Record<string, unknown>[]>();

const callTool = (idToken: string, tool: string, headers: Record<string, string> = {}) =>
  exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/${tool}/call`,
    { json: { arguments: {} } },
    { Authorization: `Bearer ${idToken}`, ...headers },
  );

async function linesOf(service: ServiceName): Promise<readonly Record<string, unknown>[]> {
  const text = await stack.readLog(service);
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** Log lines are written in batches, some time after the response. */
const linesWith = (service: ServiceName, wanted: (line: Record<string, unknown>) => boolean) =>
  eventually(`a line in the log of ${service}`, () => linesOf(service), {
    until: (lines) => lines.some(wanted),
  });

beforeAll(async () => {
  const ports = new Map<ServiceName, number>();
  for (const service of SERVICES) ports.set(service, await findFreePort());
  const env = Object.fromEntries(
    SERVICES.map((service) => [service, { METRICS_PORT: String(ports.get(service)) }]),
  );
  stack = await startStackUnderTest({ env });
  const scrape = async (service: ServiceName) => {
    const answer = await fetch(`http://127.0.0.1:${ports.get(service)}/metrics`);
    exposed.add(await answer.text());
  };

  const { idToken } = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.alice.email });
  const call = () => callTool(idToken, 'list_sites', { traceparent: TRACEPARENT });
  // On a busy machine, the first responses of peers may be too late.
  const called = await eventually('a call that is not too early', call, {
    until: ({ status }) => status !== 503,
  });
  expect(called.status).toBe(200);
  for (const service of CALLED) {
    const hasTrace = (line: Record<string, unknown>) => line.trace_id === TRACE;
    logs.set(service, await linesWith(service, hasTrace));
  }
  const bob = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.bob.email });
  const plain = await callTool(bob.idToken, 'list_sites');
  requestId = plain.answerHeaders.get('x-request-id') ?? '';
  expect(plain.status).toBe(200);
  const traceOfPlain = async () =>
    (await linesOf('tool-hub')).find(({ request_id }) => request_id === requestId)?.trace_id;
  const trace = await eventually(`request ${requestId} in the log of the hub`, traceOfPlain);
  for (const service of CALLED) {
    const isRequest = (line: Record<string, unknown>) => line.trace_id === trace && line.msg === 'request';
    logs.set(service, await linesWith(service, isRequest));
  }
  await exchange(
    'POST',
    `${stack.urls['tool-hub']}/mcp`,
    { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    { Authorization: `Bearer ${idToken}` },
  );
  for (const service of SERVICES) await scrape(service);
  // Stops the tool server: a breaker has no state until it opens.
  await stack.kill('reference-mcp-server');
  for (let calls = 0; calls < 6; calls += 1) await callTool(idToken, 'whoami');
  await scrape('tool-hub');
});
afterAll(() => stack?.stop());

describe('one tool call', () => {
  it('is found in the logs of all services by one trace id, although no spans are made', () => {
    const found = CALLED.map((service) => [
      service,
      logs.get(service)?.some(({ trace_id, msg }) => trace_id === TRACE && msg === 'request'),
    ]);
    expect(found).toEqual(CALLED.map((service) => [service, true]));
  });

  it('is found in the logs of all services by one trace id even if its caller sends none', () => {
    const hub = logs.get('tool-hub')?.find(({ request_id }) => request_id === requestId);
    expect(hub?.trace_id).toMatch(/^[0-9a-f]{32}$/);
    for (const service of CALLED) {
      const lines = logs.get(service)?.filter(({ trace_id }) => trace_id === hub?.trace_id) ?? [];
      expect([service, lines.some(({ msg }) => msg === 'request')]).toEqual([service, true]);
    }
  });

  it('passes its request id on to the called services', () => {
    for (const service of ['mock-idp', 'reference-mcp-server'] as const) {
      const called = logs.get(service)?.some(({ caller_request_id }) => caller_request_id === requestId);
      expect([service, called]).toEqual([service, true]);
    }
  });

  it('has a request id in each of its lines', () => {
    const own = [...logs.values()].flat().filter(({ trace_id }) => trace_id === TRACE);
    expect(own.length).toBeGreaterThanOrEqual(6);
    expect(own.filter(({ request_id }) => typeof request_id !== 'string')).toEqual([]);
  });
});

/** Metrics of Prometheus itself, about scraping and alerts */
const OF_PROMETHEUS = new Set(['up', 'ALERTS']);
/** Labels that Prometheus adds to each series */
const ADDED_LABELS = ['job', 'instance'];

/** Series that the recording rules create, with the labels that they add */
const RECORDED = new Set(readRecordings().map(({ record }) => record));
const OF_RECORDINGS = ['slo'];

const queries = readQueries();
const cases = queries.map(({ where, expr }, index) => [where, expr, index] as const);

describe.each(cases)('%s: %s', (_where, expr, index) => {
  const { selectors, groupings } = parseQuery(expr);
  const own = selectors.filter(({ metric }) => !OF_PROMETHEUS.has(metric) && !RECORDED.has(metric));
  const labelsOf = (metric: string) => exposed.series.get(metric) ?? new Map<string, Set<string>>();

  it('uses only existing metrics', () => {
    expect(selectors).not.toEqual([]);
    expect(own.map(({ metric }) => metric).filter((metric) => !exposed.series.has(metric))).toEqual([]);
  });

  it('uses only existing labels and possible values', () => {
    for (const { metric, matchers } of own) {
      for (const { label, op, value } of matchers) {
        const values = labelsOf(metric).get(label);
        expect([metric, label, values !== undefined]).toEqual([metric, label, true]);
        // Alternatives of plain words must all exist; patterns may match nothing yet.
        const words =
          op === '=' || op === '=~' ? value.split('|').filter((word) => /^[a-z_-]+$/.test(word)) : [];
        expect([metric, label, words.filter((word) => !values?.has(word))]).toEqual([metric, label, []]);
      }
    }
    if (own.length === 0) return;
    const known = new Set([
      ...ADDED_LABELS,
      ...OF_RECORDINGS,
      ...own.flatMap(({ metric }) => [...labelsOf(metric).keys()]),
    ]);
    const named = [...groupings, ...(queries[index]?.texts ?? [])];
    expect(named.filter((label) => !known.has(label))).toEqual([]);
  });
});

describe('the table of metrics', () => {
  const [, chapter = ''] = readText('docs/operations/observability.md').split(/^## (?:Metrics|Traces)$/m);
  const rows = [...chapter.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]*) \| /gm)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/\w+/g)].map(([label]) => label),
    }),
  );

  it('lists exactly our metrics', () => {
    const ours = [...exposed.declared].filter((name) => !/^(?:process|nodejs)_/.test(name));
    expect(rows.map(({ name }) => name)).toEqual(ours.sort());
  });

  it('lists the labels of each metric', () => {
    for (const { name, labels } of rows) {
      const seen = exposed.series.get(name) ?? exposed.series.get(`${name}_count`);
      if (seen === undefined) continue; // nothing has been counted yet
      const own = [...seen.keys()].filter((label) => label !== 'service');
      expect([name, labels]).toEqual([name, own]);
    }
  });
});
