import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Forwards every request to the target with a user's token, which the suite's client does not have. A page of the
 * proxy's own origin counts as one of the target's; other origins and hosts are not changed.
 */
export async function startSignedInProxy(
  target: URL,
  token: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const proxy = createServer((req, res) => {
    const own = `localhost:${(proxy.address() as AddressInfo).port}`;
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = target.host;
    if (headers.origin === `http://${own}`) headers.origin = target.origin;
    const forwarded = request(target, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      res.flushHeaders();
      answer.pipe(res).on('error', () => answer.destroy());
    });
    forwarded.on('error', () => res.destroy());
    res.on('close', () => forwarded.destroy());
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
