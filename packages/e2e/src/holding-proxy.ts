import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `before`: the request is held; `after`: the request is forwarded, and its response is held. */
export type HeldWhen = 'before' | 'after';

export interface Hold {
  /** Resolves when such a request has arrived */
  readonly arrived: Promise<void>;
  /** Releases the request or its response. */
  release(): void;
}

export interface HoldingProxy {
  readonly port: number;
  /** Holds the next such request until it is released. */
  holdNext(method: string, path: string, when: HeldWhen): Hold;
  close(): Promise<void>;
}

/** Forwards everything between a service and its peer, except held requests. */
export async function startHoldingProxy(target: { host: string; port: number }): Promise<HoldingProxy> {
  let held:
    | { method: string; path: string; when: HeldWhen; arrived: () => void; released: Promise<void> }
    | undefined;

  function take(inbound: IncomingMessage) {
    if (held?.method !== inbound.method || held?.path !== inbound.url) return undefined;
    const taken = held;
    held = undefined;
    return taken;
  }

  function pass(
    inbound: IncomingMessage,
    onAnswer: (received: IncomingMessage) => void,
    onError: () => void,
  ) {
    const { method, url: path, headers } = inbound;
    const outbound = request({ ...target, method, path, headers }, onAnswer);
    outbound.on('error', onError);
    inbound.pipe(outbound);
  }

  const server = createServer((inbound: IncomingMessage, answer: ServerResponse) => {
    const hold = take(inbound);
    const until = async (when: HeldWhen) => {
      if (hold?.when !== when) return;
      hold.arrived();
      await hold.released;
    };
    const goOn = () =>
      pass(
        inbound,
        async (received) => {
          await until('after');
          answer.writeHead(received.statusCode ?? 502, received.rawHeaders);
          received.pipe(answer);
        },
        () => answer.destroy(),
      );
    void until('before').then(goOn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    holdNext(method, path, when) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        held = { method, path, when, arrived: resolve, released };
      });
      return { arrived, release };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
