import { type Handler, startServer, type TestServer } from '@legate/service/testing';

/** A server that remembers every byte it is sent, so that what it got can be searched for what it should not have. */
export interface RecordingServer extends TestServer {
  /** Each request as text: method, path, headers, body */
  readonly received: readonly string[];
}

/** On a free loopback port. A handler that throws is a fault of ours: it is answered with 599. */
export async function startRecordingServer(handler: Handler): Promise<RecordingServer> {
  const received: string[] = [];
  const server = await startServer((req, res, body) => {
    received.push(`${req.method} ${req.url}\n${req.rawHeaders.join('\n')}\n\n${body}`);
    return handler(req, res, body);
  });
  return { ...server, received };
}
