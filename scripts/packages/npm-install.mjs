// Projects of their own outside of this repository, with the tarballs and what a user would install with them.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, withDependencies } from './published.mjs';

const UNREACHABLE =
  /npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)/;

/** The registry did not answer, and the cache of npm lacks something. */
export class RegistryUnreachable extends Error {}

/**
 * @returns what is wrong with the installation
 * @throws {RegistryUnreachable}
 */
export async function install(folder, dependencies) {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = [
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    ...['--fetch-retries', '2', '--fetch-retry-mintimeout', '500', '--fetch-retry-maxtimeout', '2000'],
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'warn',
  ];
  const { stderr } = await run('npm', args, { cwd: folder }).catch((error) => {
    if (UNREACHABLE.test(error.stderr)) throw new RegistryUnreachable(UNREACHABLE.exec(error.stderr)[1]);
    return error;
  });
  const failed = /npm error|ERESOLVE/.test(stderr) ? [stderr] : [];
  const copies = copiesOf('jose', folder);
  return [...failed, ...(copies.length > 1 ? [`several copies of jose: ${copies.join(', ')}`] : [])];
}

function copiesOf(name, folder) {
  return readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(join('node_modules', name)));
}

/** Tarballs of a package and of the published ones that it needs, as dependencies of a project */
export const withTarballs = (name, packages) =>
  Object.fromEntries(
    [...withDependencies(name, packages)].map((each) => [each, `file:${packages.get(each).tarball}`]),
  );
