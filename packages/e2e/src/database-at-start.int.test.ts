import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';

// Tests how management-api, as a process, reports an unusable database at its start.

/** A server that refuses each login as PostgreSQL does: with an ErrorResponse whose SQLSTATE is the user's name. */
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (startup) => {
      const [, code = ''] = /user\0u(\w{5})\0/.exec(startup.toString('latin1')) ?? [];
      const fields = Buffer.from(`SFATAL\0C${code}\0Mrefused, and s3cret\0\0`);
      const head = Buffer.alloc(5, 'E');
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, fields]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function start(databaseUrl: string, env: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const settings = {
    PATH: process.env.PATH,
    PORT: '0',
    RESOURCE: 'https://api.example',
    IDP_ISSUER: 'https://idp.example',
    DATABASE_URL: databaseUrl,
    ...env,
  };
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [join(ROOT, 'apps/management-api/dist/main.js')],
      { env: settings },
      (err, _stdout, stderr) => resolve({ code: err?.code, stderr }),
    ),
  );
}

it.each([
  [
    'a wrong password',
    () => `u28P01:s3cret@127.0.0.1:${port}/legate`,
    'the server refuses the password of the user u28P01',
  ],
  [
    'an unknown database',
    () => `u3D000:s3cret@127.0.0.1:${port}/legate`,
    'the server has no database legate',
  ],
  // A name with two dots fails without a DNS request.
  ['an unknown host', () => 'api:s3cret@db..invalid/legate', 'the host name of db..invalid:5432 is unknown'],
])('exits with a fault of DATABASE_URL that names %s, and no secret', async (_case, target, cause) => {
  const { code, stderr } = await start(`postgres://${target()}`, { MIGRATE_ON_START: 'false' });
  expect([code, stderr]).toEqual([1, `configuration: 1 fault(s)\n  DATABASE_URL: ${cause}\n`]);
});

it('names the login of the migration if that one is at fault', async () => {
  const free = await findFreePort();
  const { code, stderr } = await start(`postgres://api:s3cret@127.0.0.1:${port}/legate`, {
    MIGRATION_DATABASE_URL: `postgres://owner:s3cret@127.0.0.1:${free}/legate`,
  });
  const cause = `nothing accepts connections at 127.0.0.1:${free}`;
  expect([code, stderr]).toEqual([1, `configuration: 1 fault(s)\n  MIGRATION_DATABASE_URL: ${cause}\n`]);
});
