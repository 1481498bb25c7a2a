import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import { listen } from './json-server.ts';
import { drive, type Exchange } from './load.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server, 0);
}

const exchanges = (count: number): Exchange[] =>
  Array.from({ length: count }, (_, i) => ({
    method: 'POST',
    path: `/${i}`,
    headers: { 'x-test': 'yes' },
    body: `body ${i}`,
    check: ({ status, text }) => (status === 200 && text === `/${i}` ? undefined : `wrong: ${status}`),
  }));

it('sends every exchange once, over the given number of connections', async () => {
  const seen: (string | undefined)[] = [];
  const sockets = new Set<unknown>();
  const origin = await serve((req, res) => {
    seen.push(req.url);
    sockets.add(req.socket);
    res.end(req.url);
  });
  const result = await drive([origin], exchanges(50), { connections: 4 });
  expect(seen.sort()).toEqual(
    exchanges(50)
      .map(({ path }) => path)
      .sort(),
  );
  expect(sockets.size).toBe(4);
  expect([result.errors, result.latenciesMs.length]).toEqual([[], 50]);
});

it('distributes the connections over the origins in turn', async () => {
  const sockets = [new Set<unknown>(), new Set<unknown>()];
  const origins = await Promise.all(
    sockets.map((seen) =>
      serve((req, res) => {
        seen.add(req.socket);
        res.end(req.url);
      }),
    ),
  );
  expect((await drive(origins, exchanges(20), { connections: 5 })).errors).toEqual([]);
  expect(sockets.map(({ size }) => size)).toEqual([3, 2]);
});

it('counts every wrong response', async () => {
  const origin = await serve((req, res) => {
    if (req.url === '/1') res.writeHead(503);
    res.end(req.url === '/2' ? 'something else' : req.url);
  });
  expect((await drive([origin], exchanges(4), { connections: 1 })).errors).toEqual([
    'wrong: 503',
    'wrong: 200',
  ]);
});

it('counts a broken connection, and continues', async () => {
  const origin = await serve((req, res) => {
    if (req.url === '/0') req.socket.destroy();
    else res.end(req.url);
  });
  const { errors, latenciesMs } = await drive([origin], exchanges(3), { connections: 1 });
  expect([errors.length, latenciesMs.length]).toEqual([1, 3]);
});
