import { type Handler, startServer, type TestServer } from '@legate/service/testing';

/** A server that records every byte it receives, so that tests can search them for secrets that it must not receive. */
export interface RecordingServer extends TestServer {
  /** Each request as text: method, path, headers, body */
  readonly received: readonly string[];
}

/** Starts on a free loopback port. A handler that throws is a bug in the test: the server responds with 599. */
export async function startRecordingServer(handler: Handler): Promise<RecordingServer> {
  const received: string[] = [];
  const server = await startServer((req, res, body) => {
    received.push(`${req.method} ${req.url}\n${req.rawHeaders.join('\n')}\n\n${body}`);
    return handler(req, res, body);
  });
  return { ...server, received };
}
