import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The first port of a range below the one that systems use for outgoing connections and for port 0, as other tests do. */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_000;
const MAX_ATTEMPTS = 50;

/**
 * A free port that no other process is likely to take before the test's does.
 * @param options.offsets of ports that must be free as well, relative to the returned one: `[1]` for a pair
 * @param options.below for offsets that would leave the range. Default 31,000
 */
export async function findFreePort(
  options: { offsets?: readonly number[]; below?: number } = {},
): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PORT, options.below ?? LAST_PORT);
    const wanted = [port, ...(options.offsets ?? []).map((offset) => port + offset)];
    if ((await Promise.all(wanted.map(isFree))).every(Boolean)) return port;
  }
  throw new Error('no free port was found');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
