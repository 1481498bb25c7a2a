import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  /** Origin, `http://127.0.0.1:port` */
  readonly url: string;
  stop(): Promise<void>;
}

/** On a free loopback port. An app that must know its address before it is made is what `handle` finds by then. */
export async function listen(handle: RequestListener): Promise<ListeningServer> {
  const server = createServer(handle);
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
