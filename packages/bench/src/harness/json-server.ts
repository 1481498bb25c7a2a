import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';

/** Listens on `port` (0: any free one) of 127.0.0.1. @returns the server's origin */
export async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening on TCP');
  return `http://127.0.0.1:${address.port}`;
}

/** Serves fixed JSON documents by path, for documents that a target reads once, outside of the measurement. */
export function createJsonServer(documents: () => Readonly<Record<string, unknown>>): Server {
  return createServer((req, res) => {
    const document = documents()[req.url ?? ''];
    res.writeHead(document === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(document ?? {}));
  });
}

/** Reads a body with events, because async iteration over a request takes longer than all other work of a floor. */
export function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      body += chunk;
    });
    req.on('end', () => resolve(body));
    req.on('error', reject);
  });
}
