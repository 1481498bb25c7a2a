import { Client } from 'undici';

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

export interface LoadResult {
  readonly durationMs: number;
  /** One value for each request, in no order */
  readonly latenciesMs: readonly number[];
  /** One description per failed request */
  readonly errors: readonly string[];
}

const TIMEOUT_MS = 10_000;

/**
 * Sends every exchange once, over a number of kept connections. Each connection waits for its response before it sends
 * the next request, and every response is read and checked.
 */
export async function drive(
  origin: string,
  exchanges: readonly Exchange[],
  connections: number,
): Promise<LoadResult> {
  const clients = Array.from(
    { length: connections },
    () => new Client(origin, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS }),
  );
  const latenciesMs: number[] = [];
  const errors: string[] = [];
  let next = 0;

  async function work(client: Client): Promise<void> {
    for (let exchange = exchanges[next++]; exchange; exchange = exchanges[next++]) {
      const startedAt = performance.now();
      const fault = await send(client, exchange);
      latenciesMs.push(performance.now() - startedAt);
      if (fault !== undefined) errors.push(fault);
    }
  }

  const startedAt = performance.now();
  await Promise.all(clients.map(work));
  const durationMs = performance.now() - startedAt;
  await Promise.all(clients.map((client) => client.destroy()));
  return { durationMs, latenciesMs, errors };
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
