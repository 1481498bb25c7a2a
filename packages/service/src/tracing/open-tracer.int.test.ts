import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createLogger, openTracer, parseEnvironment } from '../index.ts';
import { createOtlpTracer } from './otlp-tracer.ts';
import { tracingEnvironment } from './settings.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function collector(answer: boolean) {
  const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    received.push({ url: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() });
    if (answer) res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function logged() {
  const lines: string[] = [];
  const log = createLogger({
    service: 't',
    level: 'info',
    destination: { write: (l) => void lines.push(l) },
  });
  return { lines, log };
}

async function open(env: Record<string, string>) {
  const { log, lines } = logged();
  const settings = parseEnvironment(z.object(tracingEnvironment), env);
  return { lines, tracer: await openTracer('an-app', settings, { log }) };
}

it('sends spans as OTLP over HTTP with the configured headers, at the latest when it is closed', async () => {
  const { received, url } = await collector(true);
  const { tracer, lines } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b, other=c',
    OTEL_SERVICE_NAME: 'renamed',
  });
  tracer?.start('one', { kind: 'server', parent: undefined }).end();
  await tracer?.close();
  expect(received.map((each) => each.url)).toEqual(['/v1/traces']);
  expect(received[0]?.headers).toMatchObject({ 'x-key': 'a b', other: 'c' });
  expect(received[0]?.body).toContain('renamed');
  expect(lines).toEqual([]);
});

it('creates no tracer without an endpoint', async () => {
  expect((await open({})).tracer).toBeUndefined();
});

it('loads nothing of the SDK without an endpoint', () => {
  const program = `
    import { openTracer } from '@legate/service';
    import { createRequire } from 'node:module';
    const settings = { OTEL_TRACES_SAMPLER_ARG: 1 };
    const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('@opentelemetry/sdk-trace'));
    await openTracer('t', settings, {});
    const before = loaded();
    await openTracer('t', { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, {});
    process.stdout.write(JSON.stringify([before, loaded()]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual(['[false,true]', '']);
});

it.each([
  ['is not there', async () => 'http://127.0.0.1:1'],
  ['never answers', async () => (await collector(false)).url],
])('neither throws nor waits for a collector that %s', async (_case, start) => {
  const { log, lines } = logged();
  const tracer = createOtlpTracer({
    ...{ service: 't', url: await start(), headers: {}, ratio: 1, log },
    exportTimeoutMs: 600,
  });
  for (let i = 0; i < 500; i += 1) tracer.start('one', { kind: 'server', parent: undefined }).end();
  await tracer.close();
  expect(lines.join()).toContain('traces cannot be sent');
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://x'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-without-a-name'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('refuses to start with %s=%s, and does not show the value', async (name, value) => {
  const failure = await open({ [name]: value }).catch((err: unknown) => err);
  expect(String(failure)).toContain(name);
  expect(String(failure)).not.toContain(`${value} `);
});
