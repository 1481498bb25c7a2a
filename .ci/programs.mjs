// What tests need of a machine and npm does not have.
import { mkdirSync } from 'node:fs';
import { delimiter } from 'node:path';
import { onPath, PROGRAMS } from '../packages/testing/src/programs.js';

/** What the suites of the gate need, with Debian's packages */
const PACKAGES = {
  Chromium: 'chromium',
  Redis: 'redis-server',
  PostgreSQL: 'postgresql',
  curl: 'curl',
  jq: 'jq',
  openssl: 'openssl',
};

/** Installs what is missing, where Debian's packages can be installed. @returns a line for each program that is still missing */
export async function missingPrograms(run) {
  const missing = () => Object.keys(PACKAGES).filter((name) => PROGRAMS[name].find() === undefined);
  const packages = missing().map((name) => PACKAGES[name]);
  if (packages.length > 0 && onPath('apt-get') && process.getuid?.() === 0) {
    await run.spawn('apt-get', ['update', '-qq']);
    await run.spawn('apt-get', ['install', '-y', '-qq', ...packages], { quiet: true });
  }
  return missing().map((name) => `missing on this machine: ${name} (${PROGRAMS[name].install})`);
}

/** Unpacks Debian's package, as installing it may start a Prometheus. @returns faults */
export async function addPromtool(run) {
  if (PROGRAMS.promtool.find()) return [];
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
