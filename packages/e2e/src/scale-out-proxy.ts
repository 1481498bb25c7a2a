import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';

/** A request that was sent to a replica, with its outcome. */
export interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Index of the replica */
  readonly replica: number;
  /** undefined: the connection broke while the request was being sent */
  readonly status: number | undefined;
}

/** A held request: it is sent to no replica, and gets no response. */
export interface HeldRequest {
  /** Resolves when it has arrived */
  readonly arrived: Promise<void>;
  /** Resolves when its sender has closed the connection */
  readonly cut: Promise<void>;
}

export interface BalancingProxy {
  /** All forwarded requests, in the order of their responses */
  readonly forwarded: readonly Forwarded[];
  /** Holds the request whose body has this text. */
  hold(text: string): HeldRequest;
  close(): Promise<void>;
}

/** Response header that names the replica */
export const SERVED_BY = 'x-served-by';

/** RFC 9110 §9.2.2 */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Balances requests over the replicas of a service, like nginx with `proxy_next_upstream error`: tries another replica
 * if a connection was refused, or broke during a request that may be repeated; never for a POST that may have taken
 * effect.
 */
export async function startBalancingProxy(options: {
  port: number;
  replicas: readonly number[];
}): Promise<BalancingProxy> {
  const forwarded: Forwarded[] = [];
  const held = new Map<string, { arrived: () => void; cut: () => void }>();
  let next = 0;

  async function handle(inbound: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of inbound) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const [text, hold] = [...held].find(([text]) => body.includes(text)) ?? [];
    if (text !== undefined && hold) {
      held.delete(text);
      answer.once('close', hold.cut);
      hold.arrived();
      return;
    }
    const method = inbound.method ?? 'GET';
    const first = next++;
    for (let attempt = 0; attempt < options.replicas.length; attempt += 1) {
      const replica = (first + attempt) % options.replicas.length;
      const outcome = await forward(inbound, body, replica, answer);
      if (outcome === 'left') return;
      if (outcome !== 'refused')
        forwarded.push({
          ...{ method, path: inbound.url ?? '', headers: inbound.headers, body: body.toString(), replica },
          status: outcome === 'cut' ? undefined : outcome,
        });
      if (answer.headersSent || answer.destroyed) return;
      if (outcome === 'cut' && !IDEMPOTENT.has(method)) break;
    }
    answer.writeHead(502, { 'Content-Type': 'text/plain' }).end('no replica answered');
  }

  /**
   * @returns the status; `refused`: nothing was sent; `cut`: something was sent, and the response is incomplete;
   * `left`: the client did not wait
   */
  function forward(
    inbound: IncomingMessage,
    body: Buffer,
    replica: number,
    answer: ServerResponse,
  ): Promise<number | 'refused' | 'cut' | 'left'> {
    return new Promise((resolve) => {
      let isConnected = false;
      const outbound = request({
        ...{ host: '127.0.0.1', port: options.replicas[replica], method: inbound.method, path: inbound.url },
        headers: inbound.headers,
        agent: false, // a new connection: on a reused one it is unknown what was sent
      });
      answer.once('close', () => {
        if (!answer.writableFinished) resolve('left');
        outbound.destroy();
      });
      outbound.once('socket', (socket) => socket.once('connect', () => (isConnected = true)));
      outbound.once('error', () => resolve(isConnected ? 'cut' : 'refused'));
      outbound.once('response', (received) => {
        answer.writeHead(received.statusCode ?? 502, { ...received.headers, [SERVED_BY]: String(replica) });
        received.pipe(answer);
        received.once('end', () => resolve(received.statusCode ?? 502));
        received.once('close', () => {
          if (!received.complete) answer.destroy();
          resolve('cut');
        });
      });
      outbound.end(body);
    });
  }

  const server = createServer((inbound, answer) => {
    handle(inbound, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  return {
    forwarded,
    hold(text) {
      const callbacks = { arrived: () => {}, cut: () => {} };
      held.set(text, callbacks);
      const resolves = (name: keyof typeof callbacks) =>
        new Promise<void>((resolve) => {
          callbacks[name] = resolve;
        });
      return { arrived: resolves('arrived'), cut: resolves('cut') };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
