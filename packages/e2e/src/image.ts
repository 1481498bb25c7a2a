import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@legate/dev';
import { eventually, START_UP_MS } from '@legate/testing';

const DOCKERFILE = `${ROOT}infra/docker/Dockerfile`;
const run = promisify(execFile);

export interface Instruction {
  readonly stage: string;
  readonly keyword: string;
  readonly rest: string;
}

/** The Dockerfile's instructions, each with its stage; those before the first stage have none. */
export async function readDockerfile(): Promise<Instruction[]> {
  const lines = (await readFile(DOCKERFILE, 'utf8'))
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  let stage = '';
  return lines.flatMap((line) => {
    const [, keyword, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (!keyword || rest === undefined) return [];
    if (keyword === 'FROM') stage = /\sAS\s+(\S+)$/.exec(rest)?.[1] ?? 'final';
    return [{ stage, keyword, rest: rest.replace(/\s+/g, ' ') }];
  });
}

/** A command of a stage, without what only an image's build needs. */
function commandOf(instructions: readonly Instruction[], stage: string, program: string): string[] {
  const found = instructions.find(
    (each) => each.stage === stage && each.keyword === 'RUN' && each.rest.includes(program),
  );
  if (!found) throw new Error(`the stage ${stage} does not run ${program}`);
  return found.rest.slice(found.rest.indexOf(program)).split(' ');
}

/**
 * Puts exactly the files of an app's final stage into `directory`/app, by the Dockerfile's own commands but without an
 * engine: the repository cut down to the app, dependencies from the lock file, and what was built already.
 */
export async function assembleImage(app: string, directory: string): Promise<string> {
  const instructions = await readDockerfile();
  const [, ...install] = commandOf(instructions, 'dependencies', 'npm ci');
  const [, , ofDependencies = ''] = commandOf(instructions, 'dependencies', 'node collect.mjs');
  const [, , ofWorkspaces = ''] = commandOf(instructions, 'built', 'node collect.mjs');
  const collect = `${ROOT}infra/docker/collect.mjs`;
  const pruned = join(directory, 'pruned');
  const final = join(directory, 'app');

  const turbo = `${ROOT}node_modules/turbo/bin/turbo`;
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', NODE_OPTIONS: '' };
  await run(process.execPath, [turbo, 'prune', `@legate/${app}`, '--docker', '--out-dir', pruned], {
    cwd: ROOT,
    env,
  });
  await run('npm', [...install, '--prefer-offline'], { cwd: join(pruned, 'json'), env });
  await run(process.execPath, [collect, ofDependencies, join(pruned, 'json'), final]);
  for (const folder of ['apps', 'packages']) {
    for (const name of await readdir(join(pruned, 'full', folder))) {
      const dist = join(folder, name, 'dist');
      await cp(join(ROOT, dist), join(pruned, 'full', dist), { recursive: true });
    }
  }
  await run(process.execPath, [collect, ofWorkspaces, join(pruned, 'full'), final]);
  await rm(pruned, { recursive: true });
  return final;
}

/** Starts a service there as its image does. @returns its exit code after SIGTERM, having seen it ready */
export async function startAndStop(options: {
  cwd: string;
  command: readonly [string, ...string[]];
  env: Record<string, string>;
  url: string;
}): Promise<number | null> {
  const [program, ...args] = options.command;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: options.cwd,
    env: options.env, // nothing of this process: a container has none of it
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  try {
    const hasStarted = () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${told}`);
      return isReady(options.url);
    };
    await eventually(`readiness at ${options.url}`, hasStarted, { timeoutMs: START_UP_MS });
    child.kill('SIGTERM');
    const [code] = await ended;
    return typeof code === 'number' ? code : null;
  } finally {
    child.kill('SIGKILL');
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
