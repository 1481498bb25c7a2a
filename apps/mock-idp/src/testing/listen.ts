import { createHttpServer } from '@legate/service';
import { findFreePort } from '@legate/service/testing';
import { issuerOf } from '../personalities/issuer.ts';
import { createTestWorld, type TestWorld } from './scene.ts';

/** Starts the service on a free port of this machine, with its own address as issuer. */
export async function listen(
  options: Parameters<typeof createTestWorld>[0] = {},
): Promise<TestWorld & { close: () => Promise<void> }> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const { personality } = options;
  const issuer = personality ? issuerOf(personality, origin) : origin;
  const world = await createTestWorld({ ...options, issuer });
  const server = createHttpServer(world.app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    ...world,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
