// PostgreSQL and Redis of one run, on free ports, in its folder.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { findPostgres } from './programs.mjs';

/** Starts both, and names them in the environment of the next steps. @returns faults */
export async function startServers(run) {
  const postgresPort = await freePort();
  const redisPort = await freePort();
  const data = `${run.folder}/postgres`;
  const bin = findPostgres();
  mkdirSync(data);
  // PostgreSQL refuses to run as root, so root runs it as its own user.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, idOf('-u'), idOf('-g'));
  const asPostgres = (program, ...args) => {
    const command = isRoot ? ['runuser', '-u', 'postgres', '--', `${bin}/${program}`] : [`${bin}/${program}`];
    return run.spawn(command[0], [...command.slice(1), '-D', data, ...args], { quiet: true, cwd: '/' });
  };
  const options = [
    `-p ${postgresPort} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`,
    '-c fsync=off -c max_connections=300',
  ].join(' ');
  const redis = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const statuses = [
    await asPostgres('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'),
    await asPostgres('pg_ctl', '-w', '-s', '-l', `${data}/server.log`, '-o', options, 'start'),
    await run.spawn('redis-server', [...redis, '--dir', run.folder, '--daemonize', 'yes'], { quiet: true }),
  ];
  run.env.TEST_DATABASE_URL = `postgres://postgres@127.0.0.1:${postgresPort}/postgres`;
  run.env.TEST_REDIS_URL = `redis://127.0.0.1:${redisPort}`;
  return statuses.some((status) => status !== 0) ? ['PostgreSQL or Redis did not start'] : [];
}

const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
