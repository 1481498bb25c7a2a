// What tests need of a machine and npm does not have.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** What the suites of the gate need */
export const PROGRAMS = ['chromium', 'redis-server', 'postgresql', 'curl', 'jq', 'openssl'];

/** @returns the folder of `initdb` and `pg_ctl`, which Debian does not put on the PATH */
export function findPostgres() {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  if (newest) return join(DEBIAN_POSTGRES, newest, 'bin');
  return spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() || undefined;
}

const isThere = (name) =>
  name === 'postgresql'
    ? findPostgres() !== undefined
    : process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Installs what is missing, where Debian's packages can be installed. @returns a line for each program that is still missing */
export async function missingPrograms(names, run) {
  const missing = names.filter((name) => !isThere(name));
  if (missing.length > 0 && isThere('apt-get') && process.getuid?.() === 0) {
    await run.spawn('apt-get', ['update', '-qq']);
    await run.spawn('apt-get', ['install', '-y', '-qq', ...missing], { quiet: true });
  }
  return missing.filter((name) => !isThere(name)).map((name) => `missing on this machine: ${name}`);
}

/** Unpacks Debian's package, as installing it may start a Prometheus. @returns faults */
export async function addPromtool(run) {
  if (isThere('promtool')) return [];
  const folder = `${run.folder}/prometheus`;
  mkdirSync(folder);
  const script = 'apt-get update -qq && apt-get download -qq prometheus && dpkg -x prometheus_*.deb .';
  const status = await run.spawn('sh', ['-c', script], { cwd: folder });
  run.env.PATH += `${delimiter}${folder}/usr/bin`;
  return status === 0 ? [] : ['missing on this machine: promtool'];
}

/** @returns no faults: where PyPI is not reached, the suites that need it are left out */
export async function addPythonSdk(run) {
  const folder = `${run.folder}/python`;
  const requirements = 'examples/tool-server-python/requirements.txt';
  const pip = ['install', '--quiet', '--retries', '0', '--timeout', '15', '--requirement', requirements];
  const isInstalled =
    (await run.spawn('python3', ['-m', 'venv', folder], { quiet: true })) === 0 &&
    (await run.spawn(`${folder}/bin/pip`, pip, { quiet: true })) === 0;
  if (isInstalled) run.env.MCP_PYTHON = `${folder}/bin/python`;
  return [];
}
