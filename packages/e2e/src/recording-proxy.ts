import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordingProxy {
  /** `host:port` */
  readonly address: string;
  /** All bytes that were forwarded in both directions as text, including headers. */
  readonly seen: () => string;
  close(): Promise<void>;
}

/** Forwards everything between a service and its peer unchanged, and records it. */
export async function startRecordingProxy(target: { host: string; port: number }): Promise<RecordingProxy> {
  const recorded: string[] = [];
  const server = createServer((inbound, answer) => {
    recorded.push(JSON.stringify(inbound.rawHeaders));
    const outbound = request({
      ...target,
      method: inbound.method,
      path: inbound.url,
      headers: inbound.headers,
    });
    inbound.on('data', (chunk: Buffer) => recorded.push(chunk.toString('latin1')));
    inbound.pipe(outbound);
    outbound.on('response', (received) => {
      recorded.push(JSON.stringify(received.rawHeaders));
      answer.writeHead(received.statusCode ?? 502, received.rawHeaders);
      received.on('data', (chunk: Buffer) => recorded.push(chunk.toString('latin1')));
      received.pipe(answer);
    });
    outbound.on('error', () => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => recorded.join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
