import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { findFreePort } from './free-port.ts';

it('finds a free port, with the following ones', async () => {
  const port = await findFreePort({ offsets: [1] });
  const servers = [port, port + 1].map((each) => createServer().listen(each, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  for (const server of servers) server.close();
});

it('gives up where a port that must be free as well never is', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  // One port to choose from, and beside it the one that is taken
  await expect(findFreePort({ offsets: [port - 20_000], below: 20_001 })).rejects.toThrow('no free port');
  taken.close();
});
