import { expect, it } from '@jest/globals';
import express, { type RequestHandler, Router } from 'express';
import request from 'supertest';
import { accessLog, createLogger, inSpan, requestContext, traceMcpMessage } from '../index.ts';
import { recordSpans } from '../testing/recorded-spans.ts';
import { traced } from './client-span.ts';
import type { Tracer } from './tracer.ts';

const TRACE = 'a'.repeat(32);
const SPAN = 'b'.repeat(16);
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const SECRET = 'hunter2';

interface Asked {
  url: string;
  headers: Headers;
}

/** A service that logs, calls a peer within a span, and responds. */
function service(tracer?: Tracer) {
  const lines: Record<string, unknown>[] = [];
  const asked: Asked[] = [];
  const log = createLogger({
    service: 't',
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const askPeer = traced(async (url, init) => {
    asked.push({ url: String(url), headers: new Headers(init?.headers) });
    return new Response('{}', { status: 201 });
  });
  const answer: RequestHandler = async (_req, res) => {
    log.info('deep within');
    const peer = new URL(`https://peer.example/${SECRET}?code=${SECRET}`);
    await inSpan('leg', 'internal', { 'legate.outcome': 'granted' }, () =>
      askPeer(peer, { headers: { Authorization: SECRET } }),
    );
    res.json({});
  };
  const app = express().use(requestContext(tracer), accessLog(log));
  app.get('/healthz', answer);
  app.use('/api/v1', Router().get('/things/:id', answer));
  app.use('/of/:user', Router().get('/things/:id', answer));
  app.post('/mcp', express.json(), traceMcpMessage, answer);
  app.get('/broken', async () => {
    await inSpan('broken leg', 'internal', {}, async () => {
      throw new RangeError(SECRET);
    });
  });
  return { app, lines, asked, traceIds: () => lines.map(({ trace_id }) => trace_id) };
}

const meta = (traceparent: string, method = 'tools/call') => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { name: SECRET, _meta: { traceparent, tracestate: 'in=meta' } },
});

it('creates a span for a request, named by its route, with its outgoing requests as children', async () => {
  const { tracer, read } = recordSpans();
  const { app, asked } = service(tracer);
  await request(app).get('/api/v1/things/42?x=y').set({ traceparent: SAMPLED, tracestate: 'vendor=1' });
  const [client, leg, server] = await read();
  expect([server?.name, leg?.name, client?.name]).toEqual(['GET /api/v1/things/:id', 'leg', 'GET']);
  expect(server?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
  expect(leg?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
  expect(client?.parentSpanContext?.spanId).toBe(leg?.spanContext().spanId);
  expect(asked[0]?.headers.get('traceparent')).toBe(`00-${TRACE}-${client?.spanContext().spanId}-01`);
  expect(asked[0]?.headers.get('tracestate')).toBe('vendor=1');
  expect(asked[0]?.headers.get('authorization')).toBe(SECRET);
});

it('contains only listed attributes: no id, query, header or message', async () => {
  const { tracer, read } = recordSpans();
  const { app } = service(tracer);
  await request(app).get(`/api/v1/things/${SECRET}?token=${SECRET}`).set('Authorization', SECRET);
  await request(app).get(`/of/${SECRET}/things/${SECRET}`);
  await request(app).get(`/${SECRET}`);
  await request(app).get('/broken');
  await request(app).post('/mcp').send(meta(SAMPLED, SECRET));
  const span = tracer.start('own', { kind: 'internal', parent: undefined });
  span.set({ 'user.email': SECRET } as object); // as a mistake in our code might, despite the types
  span.end();
  const spans = (await read()).map(({ name, attributes, events, status, links }) => ({
    ...{ name, attributes, events, status, links },
  }));
  expect(JSON.stringify(spans)).not.toContain(SECRET);
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /api/v1/things/:id', 'GET /things/:id', 'GET', 'GET /broken', 'mcp other']),
  );
  expect(spans.find(({ name }) => name === 'broken leg')?.attributes).toEqual({ 'error.type': 'RangeError' });
  expect(spans.find(({ name }) => name === 'GET /broken')?.attributes).toMatchObject({
    'http.response.status_code': 500,
    'error.type': '_OTHER',
  });
});

it('creates no spans for probes', async () => {
  const { tracer, read } = recordSpans();
  await request(service(tracer).app).get('/healthz');
  expect(await read()).toEqual([]);
});

it('writes the ids of request and trace into every line, with and without a tracer', async () => {
  const { tracer, read } = recordSpans();
  for (const each of [undefined, tracer]) {
    const { app, lines, traceIds, asked } = service(each);
    const { headers } = await request(app).get('/api/v1/things/42').set('traceparent', SAMPLED);
    expect(lines.map(({ msg }) => msg)).toEqual(['deep within', 'request']);
    expect(traceIds()).toEqual([TRACE, TRACE]);
    expect(lines.map(({ request_id }) => request_id)).toEqual(Array(2).fill(headers['x-request-id']));
    expect(asked[0]?.headers.get('traceparent')).toMatch(`00-${TRACE}-`);
  }
  expect(await read()).toHaveLength(3);
});

it('passes a trace on unchanged while tracing is off, without baggage', async () => {
  const { app, asked } = service();
  await request(app)
    .get('/api/v1/things/42')
    .set({ traceparent: SAMPLED, tracestate: 'vendor=1', baggage: `user=${SECRET}` });
  expect(asked[0]?.headers.get('traceparent')).toBe(SAMPLED);
  expect(asked[0]?.headers.get('tracestate')).toBe('vendor=1');
  expect(asked[0]?.headers.has('baggage')).toBe(false);
});

it('starts its own trace without one, or with an invalid one, and sends it to peers', async () => {
  const { app, asked, lines, traceIds } = service();
  await request(app).get('/api/v1/things/42');
  const { headers } = await request(app).get('/api/v1/things/42').set('traceparent', '00-1');
  const [first, , second] = traceIds();
  expect(traceIds()).toEqual([first, first, second, second]);
  expect(first).not.toBe(second);
  // Not sampled, because nobody records it.
  expect(asked.map((each) => each.headers.get('traceparent'))).toEqual([
    expect.stringMatching(`^00-${first}-[0-9a-f]{16}-00$`),
    expect.stringMatching(`^00-${second}-[0-9a-f]{16}-00$`),
  ]);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  const ids = lines.map(({ request_id }) => request_id);
  expect(ids.slice(2)).toEqual([headers['x-request-id'], headers['x-request-id']]);
  expect(asked[1]?.headers.get('x-request-id')).toBe(headers['x-request-id']);
});

it('uses the trace in the _meta of an MCP message if the HTTP headers contain none', async () => {
  const inMeta = `00-${'c'.repeat(32)}-${SPAN}-01`;
  const off = service();
  await request(off.app).post('/mcp').send(meta(inMeta));
  await request(off.app).post('/mcp').send(meta(inMeta)).set('traceparent', SAMPLED);
  expect(off.asked.map(({ headers }) => headers.get('traceparent'))).toEqual([inMeta, SAMPLED]);
  expect(off.asked[0]?.headers.get('tracestate')).toBe('in=meta');
  expect(off.traceIds()).toEqual(['c'.repeat(32), 'c'.repeat(32), TRACE, TRACE]);

  const { tracer, read } = recordSpans();
  const on = service(tracer);
  await request(on.app).post('/mcp').send(meta(inMeta));
  await request(on.app).post('/mcp').send(meta(inMeta)).set('traceparent', SAMPLED);
  const messages = (await read()).filter(({ name }) => name === 'mcp tools/call');
  expect(messages.map((span) => span.spanContext().traceId)).toEqual(['c'.repeat(32), TRACE]);
  expect(messages[0]?.parentSpanContext?.spanId).toBe(SPAN);
  expect(on.traceIds()).toEqual(['c'.repeat(32), 'c'.repeat(32), TRACE, TRACE]);
});

it.each([
  'x',
  '1',
  '[]',
  'null',
  '{"params":[]}',
  '{"params":{"_meta":7}}',
  '{"params":{"_meta":{"traceparent":{}}}}',
])('creates no span for a message with %s', async (body) => {
  const { app, asked } = service();
  await request(app).post('/mcp').set('Content-Type', 'application/json').send(body);
  // The span of the request itself
  expect(asked.every(({ headers }) => /-00$/.test(headers.get('traceparent') ?? ''))).toBe(true);
});

it('keeps no more traces for a sampled flag in _meta than for one in HTTP', async () => {
  const { tracer, read } = recordSpans(0.5);
  const { app } = service(tracer);
  // Above the sampling ratio: not sampled, whatever the caller sends.
  const wanted = `00-${'f'.repeat(8).padEnd(32, '0')}-${SPAN}-01`;
  await request(app).post('/mcp').set('traceparent', wanted).send(meta('none'));
  // The HTTP request has its own span, in a trace that we started.
  await request(app).post('/mcp').send(meta(wanted));
  const kept = (await read()).filter((span) => span.spanContext().traceId.startsWith('ffffffff'));
  expect(kept.map(({ name }) => name)).toEqual([]);
});
