import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineEnvironment, ROOT } from '@legate/dev';
import { eventually, START_UP_MS } from '@legate/testing';

const APP = join(ROOT, 'apps', 'management-api');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  stop(): Promise<void>;
}

/** A built management-api with its migrations */
export interface Release {
  /** The name of the last migration */
  readonly schema: string;
  migrate(env: Record<string, string>): Promise<Ended>;
  /** @throws {Error} with its standard error, if it ends before it is ready */
  start(url: string, env: Record<string, string>): Promise<Running>;
  remove(): Promise<void>;
}

export async function currentRelease(): Promise<Release> {
  return releaseAt(APP, async () => undefined);
}

/** Copies the current release and adds a migration, as in a possible next version. */
export async function nextRelease(migration: string): Promise<Release> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-release-'));
  const app = join(directory, 'app');
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const part of ['dist', 'views', 'migrations', 'package.json', 'node_modules']) {
    await cp(join(APP, part), join(app, part), { recursive: true });
  }
  await writeFile(join(app, 'migrations', '9999_next.sql'), migration);
  return releaseAt(app, () => rm(directory, { recursive: true }));
}

async function releaseAt(app: string, remove: () => Promise<void>): Promise<Release> {
  const environment = (env: Record<string, string>) => ({ ...machineEnvironment(), ...env });
  return {
    schema: await lastMigration(app),
    migrate: (env) =>
      new Promise((resolve) => {
        const args = [join(app, 'dist', 'migrate.js')];
        execFile(process.execPath, args, { env: environment(env) }, (err, stdout, stderr) =>
          resolve({ code: typeof err?.code === 'number' ? err.code : 0, stdout, stderr }),
        );
      }),
    async start(url, env) {
      const child = spawn(process.execPath, [join(app, 'dist', 'main.js')], {
        env: environment({ MIGRATE_ON_START: 'false', ...env }),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
      });
      const ended = once(child, 'close');
      const hasStarted = async () => {
        if (child.exitCode === null) return isReady(url);
        await ended;
        throw new Error(said.trim());
      };
      await eventually(`readiness at ${url}`, hasStarted, { timeoutMs: START_UP_MS });
      return {
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
    remove,
  };
}

const lastMigration = async (app: string): Promise<string> =>
  (await readdir(join(app, 'migrations'))).sort().at(-1)?.replace('.sql', '') ?? '';

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.ok,
    () => false,
  );
