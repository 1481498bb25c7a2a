// What tests need of a machine and npm does not have.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

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

/** Installs what is missing, where Debian's packages can be. @returns one line for each program that is still missing */
export async function missingPrograms(names, run) {
  const isDebian = isThere('apt-get') && process.getuid?.() === 0;
  const missing = names.filter((name) => !isThere(name));
  if (isDebian && missing.length > 0) {
    await run.spawn('apt-get', ['update', '-qq']);
    await run.spawn('apt-get', ['install', '-y', '-qq', ...missing], { quiet: true });
  }
  return names.filter((name) => !isThere(name)).map((name) => `missing on this machine: ${name}`);
}
