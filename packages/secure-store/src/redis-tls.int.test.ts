import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { openBackend, type RedisSettings } from './index.ts';

/** A server in place of Redis, with an untrusted certificate. */
let impostor: Server;
let received = '';

beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {});
  impostor = createServer({ cert, key }, (socket) => {
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('error', () => undefined);
  });
  impostor.on('tlsClientError', () => undefined);
  impostor.listen(0, '127.0.0.1');
  await once(impostor, 'listening');
});
afterAll(() => void impostor.close());

it.each<RedisSettings['mode']>(['single', 'cluster', 'sentinel'])(
  'mode %s: over rediss:// nothing is sent to a server with an untrusted certificate, and the operator sees why',
  async (mode) => {
    const errors: string[] = [];
    const { port } = impostor.address() as AddressInfo;
    const server = { urls: [`rediss://localhost:${port}`], password: 'needle' };
    const store = await openBackend(
      mode === 'sentinel'
        ? { ...server, mode, sentinelName: 'the-master', sentinelPassword: 'needle' }
        : { ...server, mode },
      { clock: () => new Date(), onError: (err) => errors.push(err.message) },
    );
    try {
      await expect(store.backend.get('k')).rejects.toThrow();
    } finally {
      store.close();
    }
    expect(errors).toContainEqual(expect.stringContaining('self-signed certificate'));
    expect(received).toBe('');
  },
);
