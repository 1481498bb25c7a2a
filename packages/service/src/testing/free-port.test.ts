import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { findFreePort } from './free-port.ts';

it('finds a free port whose following ports are free as well', async () => {
  const port = await findFreePort({ offsets: [1] });
  const servers = [port, port + 1].map((each) => createServer().listen(each, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  for (const server of servers) server.close();
});

it('fails if a further port that must be free is always taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  // Only one port can be chosen, and the port next to it is taken
  await expect(findFreePort({ offsets: [port - 20_000], below: 20_001 })).rejects.toThrow('no free port');
  taken.close();
});
