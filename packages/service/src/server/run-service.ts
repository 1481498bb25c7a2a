import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import type { z } from 'zod';
import type { serviceEnvironment } from '../configuration/common.ts';
import type { Logger } from '../logs/logger.ts';
import { releaseStartMemory } from '../memory/release-start-memory.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Health } from './health.ts';
import { createHttpServer } from './http-server.ts';

/** Time for closing the stores after the grace period of running requests. */
const CLOSE_TIMEOUT_MS = 5000;

/** Time for running requests after the delay; longer ones are cut off. */
const GRACE_SECONDS = 10;

/** The port, and the settings of `serviceEnvironment` that decide where a service listens and how it stops, or that it logs. */
type RunSettings = { readonly PORT: number } & Pick<
  z.output<z.ZodObject<typeof serviceEnvironment>>,
  'NODE_ENV' | 'HOST' | 'METRICS_PORT' | 'SHUTDOWN_DELAY_SECONDS'
>;

/**
 * Listens, and on SIGTERM or SIGINT stops in order: `/readyz` fails, while all requests are served until load balancers
 * have noticed; no new connections, and running requests finish (until the deadline); then `close` releases the stores,
 * and the process exits with 0. A store that cannot be released in time ends the process with 1.
 */
export async function runService(options: {
  config: RunSettings;
  app: Express;
  health: Pick<Health, 'drain'>;
  metrics: Metrics;
  log: Logger;
  /** See `problemHandler` */
  typeBase: string;
  /** Time in which running requests may finish, in a service whose requests take more than 10 seconds */
  graceSeconds?: number;
  /** Ends open-ended responses, once there are no new requests. */
  endStreams?: () => Promise<void>;
  close: () => Promise<void>;
}): Promise<void> {
  const { log } = options;
  const { HOST: host, PORT: port, METRICS_PORT: metricsPort } = options.config;
  await releaseStartMemory();
  const server = createHttpServer(options.app, options);
  await listen(server, host, port);
  let metricsServer: Server | undefined;
  if (metricsPort !== undefined) {
    metricsServer = createMetricsServer(options.metrics);
    await listen(metricsServer, host, metricsPort);
  }
  const ports = { port: portOf(server), ...(metricsServer && { metrics_port: portOf(metricsServer) }) };
  log.info({ host, ...ports, environment: options.config.NODE_ENV }, 'listening');

  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    const delayMs = options.config.SHUTDOWN_DELAY_SECONDS * 1000;
    const graceMs = (options.graceSeconds ?? GRACE_SECONDS) * 1000;
    const deadline = setTimeout(() => process.exit(1), delayMs + graceMs + CLOSE_TIMEOUT_MS);
    // Exits after the last line is written, since the log's reader may be slow.
    const exit = (code: number) =>
      log.flush(() => {
        clearTimeout(deadline);
        process.exit(code);
      });
    options.health.drain();
    // A client may send a request on a connection that we are about to close, and lose it (RFC 9112 §9.6). The header
    // `Connection: close` on a response prevents that.
    server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
    try {
      if (delayMs > 0) await delay(delayMs);
      const closed = closeServer(server, graceMs, log);
      options.endStreams?.().catch((err: unknown) => log.warn({ err }, 'could not end the streams'));
      await closed;
      metricsServer?.close();
      await options.close();
      log.info('stopped');
      exit(0);
    } catch (err) {
      log.error({ err }, 'could not stop cleanly');
      exit(1);
    }
  };
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Once: both a terminal and a supervisor may send the signal.
    process.on(signal, () => {
      if (!stopping) void stop(signal);
      stopping = true;
    });
  }
}

/**
 * Runs a service's `main`. A fault at start is one readable line on standard error and exit code 1, not a stack trace.
 * @param failure what the line begins with
 */
export function startOrExit(main: () => Promise<void>, failure = 'the service could not start'): void {
  main().catch((err: unknown) => {
    process.stderr.write(`${describeFailure(err, failure)}\n`, () => process.exit(1));
  });
}

function describeFailure(err: unknown, failure: string): string {
  if (!(err instanceof Error)) return failure;
  if ('code' in err && err.code === 'EADDRINUSE' && 'port' in err)
    return `port ${err.port} is already in use`;
  if (err.name === 'ConfigError') return err.message;
  // The message is empty if several addresses could not be reached; a second line is a stack or a statement.
  const [line] = (err.message || ('code' in err && String(err.code)) || err.name).split('\n');
  return `${failure}: ${line}`;
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function closeServer(server: Server, graceMs: number, log: Logger): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Idle keep-alive connections would keep the server open until their time-out.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => {
    log.warn('deadline reached: cutting the requests that still run');
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

function createMetricsServer({ registry }: Metrics): Server {
  return createServer((req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  });
}
