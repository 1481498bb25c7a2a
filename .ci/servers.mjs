// PostgreSQL and Redis of one run, on free ports, in its folder.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { PROGRAMS } from '../packages/testing/src/programs.js';

const START_SECONDS = 60;

/** Starts both, and names them in the environment of the next steps. @returns faults */
export async function startServers(run) {
  const ports = { postgres: await freePort(), redis: await freePort() };
  const faults = [...(await startPostgres(run, ports.postgres)), ...(await startRedis(run, ports.redis))];
  run.env.TEST_DATABASE_URL = `postgres://postgres@127.0.0.1:${ports.postgres}/postgres`;
  run.env.TEST_REDIS_URL = `redis://127.0.0.1:${ports.redis}`;
  return faults;
}

async function startPostgres(run, port) {
  const bin = PROGRAMS.PostgreSQL.find();
  const data = `${run.folder}/postgres`;
  mkdirSync(data);
  // PostgreSQL refuses to run as root, so root runs it as its own user.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, idOf('-u'), idOf('-g'));
  const [command, ...user] = isRoot ? ['runuser', '-u', 'postgres', '--'] : ['env'];
  const quietly = { quiet: true, cwd: '/' };
  const create = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'];
  if ((await run.spawn(command, [...user, `${bin}/initdb`, ...create], quietly)) !== 0)
    return ['initdb failed'];
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '' },
    ...{ fsync: 'off', max_connections: 300 },
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  run.start(command, [...user, `${bin}/postgres`, '-D', data, ...args], quietly);
  return isListening(port, 'PostgreSQL');
}

async function startRedis(run, port) {
  const memory = ['--save', '', '--appendonly', 'no', '--dir', run.folder];
  run.start('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', ...memory], { quiet: true });
  return isListening(port, 'Redis');
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

/** @returns faults */
async function isListening(port, name) {
  for (let tries = 0; tries < START_SECONDS * 10; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return [];
    } catch {
      await wait(100);
    } finally {
      socket.destroy();
    }
  }
  return [`${name} did not start within ${START_SECONDS} s`];
}
