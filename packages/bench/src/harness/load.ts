import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConnector, Client } from 'undici';

/** One request and its expected response. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** @returns a description of the response's fault, or undefined */
  check(answer: Answer): string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Pace {
  readonly connections: number;
  /**
   * Sends requests at a fixed rate that the program can keep up with. Undefined: as fast as it answers, so that many
   * connections wait for each other.
   */
  readonly requestsPerSecond?: number;
}

export interface LoadResult {
  readonly durationMs: number;
  /** One value for each request, in no order */
  readonly latenciesMs: readonly number[];
  /** One description per failed request */
  readonly errors: readonly string[];
}

const TIMEOUT_MS = 10_000;

/**
 * Sends every exchange once, over a number of kept connections, which are open before the first and are distributed
 * over the origins in turn. Each connection waits for its response before it sends the next request, and every response
 * is read and checked.
 */
export async function drive(
  origins: readonly string[],
  exchanges: readonly Exchange[],
  { connections, requestsPerSecond }: Pace,
): Promise<LoadResult> {
  const clients = await Promise.all(
    Array.from({ length: Math.min(connections, exchanges.length) }, (_, i) =>
      openClient(origins[i % origins.length] ?? ''),
    ),
  );
  const latenciesMs: number[] = [];
  const errors: string[] = [];
  const pending = exchanges.entries(); // each worker takes the next

  async function work(client: Client): Promise<void> {
    for (const [index, exchange] of pending) {
      const dueAt = requestsPerSecond && startedAt + (index * 1000) / requestsPerSecond;
      const sentAt = dueAt === undefined ? performance.now() : await untilDue(dueAt);
      const fault = await send(client, exchange);
      latenciesMs.push(performance.now() - sentAt);
      if (fault !== undefined) errors.push(fault);
    }
  }

  const startedAt = performance.now();
  await Promise.all(clients.map(work));
  const durationMs = performance.now() - startedAt;
  await Promise.all(clients.map((client) => client.destroy()));
  return { durationMs, latenciesMs, errors };
}

/** Creates a client whose connection is open already; a broken one is replaced. */
async function openClient(origin: string): Promise<Client> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, 'connect');
  let isUnused = true;
  const reconnect = buildConnector({});
  return new Client(origin, {
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connect(options, callback) {
      if (!isUnused) return reconnect(options, callback);
      isUnused = false;
      queueMicrotask(() => callback(null, socket)); // undici expects it later than this call
    },
  });
}

/**
 * Waits until a request is due.
 * @returns the time from which its latency counts: the due time if all connections were busy then, but not the delay of
 * a timer
 */
async function untilDue(dueAt: number): Promise<number> {
  const waitMs = dueAt - performance.now();
  if (waitMs <= 0) return dueAt;
  await sleep(waitMs);
  return performance.now();
}

async function send(client: Client, exchange: Exchange): Promise<string | undefined> {
  try {
    const { method, path, headers, body } = exchange;
    const answer = await client.request({ method, path, headers: { ...headers }, body });
    const text = await answer.body.text();
    return exchange.check({ status: answer.statusCode, headers: answer.headers, text });
  } catch (err) {
    return err instanceof Error ? err.message : 'failed';
  }
}
