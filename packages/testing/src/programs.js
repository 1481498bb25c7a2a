import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

// JavaScript, because `.ci/run` and `npm test` look for programs before anything is built.

/**
 * @typedef {object} Program
 * @property {() => string | undefined} find returns a path, or undefined where the machine lacks it
 * @property {string} install how to install it, in a few words
 */

/** PgBouncer keeps prepared statements in transaction mode from 1.21 on. */
export const OLDEST_PGBOUNCER = 21;

const LONG = 'LONG_TESTS=true npm test';

/** @param {'CI' | 'LONG_TESTS'} name */
const isSet = (name) => !['', 'false'].includes(process.env[name] ?? '');

/**
 * Programs that a suite may need and a machine may lack.
 * @satisfies {Record<string, Program>}
 */
export const PROGRAMS = {
  Chromium: {
    find: findChromium,
    install: 'apt-get install chromium, npm i --no-save @sparticuz/chromium, or CHROMIUM_PATH',
  },
  Redis: { find: () => onPath('redis-server'), install: 'apt-get install redis-server' },
  PostgreSQL: { find: findPostgres, install: 'apt-get install postgresql' },
  PgBouncer: { find: findPgBouncer, install: `PgBouncer 1.${OLDEST_PGBOUNCER} or newer, on the PATH` },
  promtool: { find: () => onPath('promtool'), install: 'apt-get install prometheus' },
  'python-mcp': {
    find: findPythonSdk,
    install:
      'pip install -r examples/tool-server-python/requirements.txt, for the python3 on the PATH or at MCP_PYTHON',
  },
  python3: { find: () => onPath('python3'), install: 'apt-get install python3' },
  curl: { find: () => onPath('curl'), install: 'apt-get install curl' },
  jq: { find: () => onPath('jq'), install: 'apt-get install jq' },
  openssl: { find: () => onPath('openssl'), install: 'apt-get install openssl' },
  time: { find: () => (isSet('CI') || isSet('LONG_TESTS') ? 'enough' : undefined), install: LONG },
  night: { find: () => (isSet('LONG_TESTS') ? 'enough' : undefined), install: LONG },
  procfs: { find: () => existing('/proc/self/status'), install: 'Linux' },
};

/** @param {string} path */
const existing = (path) => (existsSync(path) ? path : undefined);

/** @param {string} name */
export function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Returns the folder of `initdb` and `postgres`, which Debian does not put on the PATH. */
function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), pgConfigFolder()];
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, 'initdb')));
}

function pgConfigFolder() {
  const { stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

function findPgBouncer() {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, minor = 0] = /^PgBouncer 1\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(minor) >= OLDEST_PGBOUNCER ? onPath('pgbouncer') : undefined;
}

/** A Python that has the official MCP SDK with its server dependencies */
function findPythonSdk() {
  const python = process.env.MCP_PYTHON || 'python3';
  const { status } = spawnSync(python, ['-c', 'import mcp.client.auth, jwt, uvicorn']);
  return status === 0 ? python : undefined;
}

/**
 * A browser of this machine, or an npm package with one, because playwright-core contains none. The package unpacks its
 * browser when asked for the path, so this only checks its presence.
 */
function findChromium() {
  const usual = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  const given = process.env.CHROMIUM_PATH;
  if (given) return existing(given);
  return usual.find((path) => existsSync(path)) ?? packagedChromium();
}

function packagedChromium() {
  try {
    return createRequire(import.meta.url).resolve('@sparticuz/chromium');
  } catch {
    return undefined;
  }
}
