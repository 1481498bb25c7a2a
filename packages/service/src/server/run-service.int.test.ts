import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { RequestHandler } from 'express';
import {
  ConfigError,
  createExpressApp,
  createHealth,
  createLogger,
  createMetrics,
  runService,
  startOrExit,
} from '../index.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
let exited: Promise<number>;
let listeners: Map<string, unknown[]>;
/** Makes the log never flush. */
let stuckAt: (() => void) | undefined;

beforeEach(() => {
  listeners = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  exited = new Promise((resolve) => {
    jest.spyOn(process, 'exit').mockImplementation((code) => {
      resolve(Number(code));
      return undefined as never;
    });
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const signal of SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (!listeners.get(signal)?.includes(listener)) process.off(signal, listener);
    }
  }
});

/** A running service whose `/work` responds when the test decides; its log lines, port, and the order of events. */
async function start(
  options: {
    close?: () => Promise<void>;
    graceSeconds?: number;
    delaySeconds?: number;
    endStreams?: () => Promise<void>;
  } = {},
) {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line)),
    flush: (done: () => void) => (stuckAt ?? done)(),
  };
  const log = createLogger({
    service: 't',
    level: 'info',
    destination,
  });
  const health = createHealth({ checks: {} });
  const metrics = createMetrics('t');
  const app = createExpressApp();
  let answer = () => {};
  const working = new Promise<void>((resolve) => {
    const work: RequestHandler = (_req, res) => {
      answer = () => void res.end('done');
      resolve();
    };
    app.get('/work', work);
  });
  app.use(health.router);
  await runService({
    config: {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: 0,
      METRICS_PORT: 0,
      SHUTDOWN_DELAY_SECONDS: options.delaySeconds ?? 0,
    },
    app,
    health,
    metrics,
    log,
    typeBase: 'https://h/errors',
    ...(options.graceSeconds !== undefined && { graceSeconds: options.graceSeconds }),
    ...(options.endStreams && { endStreams: options.endStreams }),
    close: options.close ?? (async () => {}),
  });
  const listening = lines.find(({ msg }) => msg === 'listening');
  return {
    port: Number(listening?.port),
    metricsPort: Number(listening?.metrics_port),
    lines,
    working,
    answer: () => answer(),
  };
}

async function get(port: number, path: string): Promise<string> {
  const req = httpRequest({ host: '127.0.0.1', port, path }).end();
  const [res] = await once(req, 'response');
  let text = '';
  for await (const chunk of res) text += String(chunk);
  return text;
}

it('finishes running requests, accepts no new ones, closes the stores, and exits with 0', async () => {
  const order: string[] = [];
  const service = await start({ close: async () => void order.push('stores released') });
  const work = get(service.port, '/work').then((text) => order.push(text));
  await service.working;
  process.emit('SIGTERM');
  await expect(get(service.port, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(order).toEqual([]);
  service.answer();
  expect(await exited).toBe(0);
  await work;
  expect(order.sort()).toEqual(['done', 'stores released']);
});

it('keeps responding until load balancers have seen that it is not ready, and closes kept connections', async () => {
  const service = await start({ delaySeconds: 0.2 });
  const agent = new Agent({ keepAlive: true });
  const ask = async (path: string) => {
    const req = httpRequest({ host: '127.0.0.1', port: service.port, path, agent }).end();
    const [res] = await once(req, 'response');
    res.resume();
    await once(res, 'end');
    return [res.statusCode, res.headers.connection];
  };
  const order: string[] = [];
  expect(await ask('/readyz')).toEqual([200, 'keep-alive']);
  process.emit('SIGTERM');
  expect(await ask('/healthz')).toEqual([200, 'close']); // on the kept-alive connection
  expect(await ask('/readyz')).toEqual([503, 'close']); // on a new connection
  order.push('answered');
  await exited.then((code) => order.push(`exited with ${code}`));
  expect(order).toEqual(['answered', 'exited with 0']);
  await expect(ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  agent.destroy();
});

it('ends streams when there are no new requests, and survives those that cannot be ended', async () => {
  const order: string[] = [];
  const service = await start({
    close: async () => void order.push('stores released'),
    endStreams: async () => {
      await expect(get(service.port, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      order.push('streams ended');
      service.answer();
      throw new Error('not all');
    },
  });
  const work = get(service.port, '/work');
  await service.working;
  process.emit('SIGTERM');
  expect(await work).toBe('done');
  expect(await exited).toBe(0);
  expect(order).toEqual(['streams ended', 'stores released']);
  expect(service.lines).toContainEqual(expect.objectContaining({ msg: 'could not end the streams' }));
});

it('stops only once, however often it gets the signal', async () => {
  let closed = 0;
  await start({
    close: async () => {
      closed += 1;
    },
  });
  process.emit('SIGINT');
  process.emit('SIGTERM');
  process.emit('SIGINT');
  expect(await exited).toBe(0);
  expect(closed).toBe(1);
});

it('cuts requests that run longer than the grace time', async () => {
  const service = await start({ graceSeconds: 0 });
  const work = get(service.port, '/work');
  const cut = expect(work).rejects.toMatchObject({ code: 'ECONNRESET' });
  await service.working;
  process.emit('SIGTERM');
  await cut;
  expect(await exited).toBe(0);
  expect(service.lines).toContainEqual(expect.objectContaining({ level: 'warn' }));
});

it('exits with 1 when the stores cannot be released', async () => {
  const service = await start({ close: () => Promise.reject(new Error('pool is stuck')) });
  process.emit('SIGTERM');
  expect(await exited).toBe(1);
  expect(service.lines).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'could not stop cleanly' }),
  );
});

it.each([
  ['a fault of configuration', new ConfigError(['ISSUER: must be an http(s) URL']), 'ISSUER: must be'],
  [
    'a port in use',
    Object.assign(new Error('listen'), { code: 'EADDRINUSE', port: 4001 }),
    'port 4001 is already in use',
  ],
  ['another error', new Error('no such file'), 'the service could not start: no such file'],
  ['what is no error', 'text', 'the service could not start'],
])('reports %s at start in one line, without a stack, and exits with 1', async (_case, err, text) => {
  let written = '';
  const write = (chunk: unknown, done: unknown) => {
    written += String(chunk);
    if (typeof done === 'function') done();
    return true;
  };
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
  startOrExit(() => Promise.reject(err));
  expect(await exited).toBe(1);
  expect(written).toContain(text);
  expect(written).not.toContain('    at ');
});

it('serves its metrics on a separate port', async () => {
  const { port, metricsPort } = await start();
  expect(await get(metricsPort, '/metrics')).toContain('process_cpu_seconds_total{service="t"}');
  expect(await get(metricsPort, '/else')).toBe('');
  expect(await get(port, '/metrics')).not.toContain('process_cpu_seconds_total');
  process.emit('SIGTERM');
  expect(await exited).toBe(0);
});

it('exits with 1 if nobody reads its last lines: a stuck log must not keep it alive', async () => {
  jest.useFakeTimers({
    doNotFake: ['setImmediate', 'setInterval', 'nextTick', 'queueMicrotask', 'performance'],
  });
  try {
    const flushing = new Promise<void>((resolve) => {
      stuckAt = resolve;
    });
    await start({ graceSeconds: 1 });
    process.emit('SIGTERM');
    await flushing;
    jest.advanceTimersByTime(1000 + 5000);
    expect(await exited).toBe(1);
  } finally {
    stuckAt = undefined;
    jest.useRealTimers();
  }
});
