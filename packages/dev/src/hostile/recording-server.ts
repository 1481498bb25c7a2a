import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request whose body has been read. */
export type Handler = (
  req: IncomingMessage,
  res: ServerResponse,
  body: string,
) => void | ServerResponse | Promise<void>;

/** A server that remembers every byte it is sent, so that what it got can be searched for what it should not have. */
export interface RecordingServer {
  /** Origin, `http://127.0.0.1:port` */
  readonly url: string;
  /** Each request as text: method, path, headers, body */
  readonly received: readonly string[];
  /** Cuts every connection. */
  stop(): Promise<void>;
}

/** On a free loopback port. A handler that throws is a fault of ours: it is answered with 599. */
export async function startRecordingServer(handler: Handler): Promise<RecordingServer> {
  const received: string[] = [];
  const server = createServer(async (req, res) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      received.push(`${req.method} ${req.url}\n${req.rawHeaders.join('\n')}\n\n${body}`);
      await handler(req, res, body);
    } catch {
      if (res.headersSent) res.destroy();
      else res.writeHead(599).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
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
