import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  /** Origin, `http://127.0.0.1:port` */
  readonly url: string;
  /** Cuts every connection and stops responding, as a crash does. */
  stop(): Promise<void>;
}

/** Answers a request whose body has been read. */
export type Handler = (
  req: IncomingMessage,
  res: ServerResponse,
  body: string,
) => void | ServerResponse | Promise<void>;

/** A plain HTTP server. A handler that throws is a fault of the test: the response is 599. */
export const startServer = (handler: Handler): Promise<TestServer> =>
  listen(async (req, res) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      await handler(req, res, Buffer.concat(chunks).toString());
    } catch {
      if (res.headersSent) res.destroy();
      else res.writeHead(599).end();
    }
  });

/**
 * Listens on a free loopback port. `listener` may refer to an app that is created afterwards, because it must know its
 * address.
 */
export async function listen(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
