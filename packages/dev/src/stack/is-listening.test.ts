import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { isListening } from './is-listening.ts';

it.each(['127.0.0.1', '::1'])(
  'finds a listener at %s alone, because localhost may resolve to it',
  async (host) => {
    const server = createServer().listen(0, host);
    const listening = await once(server, 'listening').then(
      () => true,
      () => false, // a machine without IPv6
    );
    if (!listening) return;
    const { port } = server.address() as AddressInfo;
    expect(await isListening(port)).toBe(true);
    server.close();
    await once(server, 'close');
    expect(await isListening(port)).toBe(false);
  },
);
