import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts';

/** Tests the trace of an application that signs Alice in and calls a tool as Alice; then the services stop. */

const { it } = needs('time');
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ROOT = '00f067aa0ba902b7';
const EMAIL = scene.USERS.alice.email;

let collector: TraceCollector;
let stack: StackUnderTest | undefined;
let idToken: string;
let site: string;
let trace: readonly CollectedSpan[];

beforeAll(async () => {
  collector = await startTraceCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  stack = await startStackUnderTest({
    env: { 'mock-idp': env, 'reference-mcp-server': env, 'management-api': env, 'tool-hub': env },
  });
  const { urls } = stack;
  const issuer = urls['mock-idp'];
  const resource = urls['management-api'];
  const { accessToken } = await signIn({ issuer, email: EMAIL, resource });
  const created = await exchange(
    'POST',
    `${resource}/api/v1/sites`,
    { json: { name: 'Private site of Alice' } },
    { Authorization: `Bearer ${accessToken}` },
  );
  site = JSON.stringify(created.answer);

  const traceparent = `00-${TRACE}-${ROOT}-01`;
  ({ idToken } = await signIn({ issuer, email: EMAIL, traceparent }));
  const called = await exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/list_sites/call`,
    { json: { arguments: { limit: 7 } } },
    { Authorization: `Bearer ${idToken}`, traceparent },
  );
  expect([called.status, JSON.stringify(called.answer)]).toEqual([
    200,
    expect.stringContaining('Private site of Alice'),
  ]);
  await stack.stop(); // sends the remaining spans
  stack = undefined;
  trace = collector.spans.filter(({ traceId }) => traceId === TRACE);
});

afterAll(async () => {
  await stack?.stop();
  await collector?.close();
});

/** `service: name` of a span and its ancestors, the root first. */
function pathTo(span: CollectedSpan): readonly string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  const label = `${span.service}: ${span.name}`;
  if (parent) return [...pathTo(parent), label];
  return [span.parentSpanId === ROOT ? 'application' : 'nothing', label];
}

const paths = () => trace.map((span) => pathTo(span).join(' > '));

it('shows the steps from sign-in to the management API, each as a child of the step that caused it', () => {
  const call = 'application > tool-hub: POST /api/v1/connectors/:connectorId/tools/:name/call';
  const tool = `${call} > tool-hub: mcp tools/call > reference-mcp-server: POST /mcp > reference-mcp-server: mcp tools/call`;
  const sites = `${tool} > reference-mcp-server: GET > management-api: GET /api/v1/sites`;
  expect(paths()).toEqual(
    expect.arrayContaining([
      'application > mock-idp: POST /oauth/token',
      `${call} > tool-hub: exchange > tool-hub: POST > mock-idp: POST /oauth/token`,
      `${call} > tool-hub: redemption > tool-hub: POST > reference-mcp-server: POST /oauth/token`,
      `${tool} > reference-mcp-server: POST > tool-hub: POST /oauth/token`,
      sites,
    ]),
  );
  expect(paths().some((path) => path.startsWith(`${sites} > management-api: postgres `))).toBe(true);
});

it('has no span whose parent is missing', () => {
  expect(paths().filter((path) => path.startsWith('nothing'))).toEqual([]);
});

it('records the outcome of each leg', () => {
  const find = (service: string, name: string) =>
    trace.filter((span) => span.service === service && span.name === name).map((span) => span.attributes);
  expect(find('tool-hub', 'exchange')).toEqual([{ 'legate.outcome': 'exchanged' }]);
  expect(find('tool-hub', 'redemption')).toEqual([{ 'legate.outcome': 'granted' }]);
  expect(find('tool-hub', 'mcp tools/call')).toMatchObject([{ 'legate.outcome': 'result' }]);
  expect(find('management-api', 'GET /api/v1/sites')).toMatchObject([{ 'http.response.status_code': 200 }]);
});

it('contains nothing of user, tokens, queries or data, in any span of any trace', () => {
  const exported = collector.text();
  expect(exported).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}/);
  for (const secret of [idToken, EMAIL, 'alice', 'Private site', 'limit=', 'org_acme', 'Bearer'])
    expect(exported).not.toContain(secret);
  expect(exported).not.toContain(/"id":"([^"]+)"/.exec(site)?.[1]);
});

it('creates no traces for probes', () => {
  expect(collector.spans.filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);
});
