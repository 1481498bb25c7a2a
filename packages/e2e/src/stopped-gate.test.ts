import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { machineEnvironment, ROOT } from '@legate/dev';
import { eventually, needs } from '@legate/testing';

const { it } = needs('procfs');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-stopped-gate-'));
});

afterEach(() => {
  for (const pid of running()) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A program that writes its process id to the folder of the test, and then runs until it is killed. */
const sleeper = (name: string): string =>
  `require('node:fs').writeFileSync('${folder}/${name}.pid', String(process.pid)); setInterval(() => {}, 1e6);`;

/** Starts the program in its own process group. */
const starter = (program: string, env: string): string =>
  `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(program)}],
    { detached: true, stdio: 'ignore', env: ${env} });`;

const pidFiles = () => readdirSync(folder).filter((file) => file.endsWith('.pid'));

/** Returns the ids of the sleepers that run; one that has ended, and that nobody has waited for yet, does not. */
const running = (): number[] =>
  pidFiles()
    .map((file) => Number(readFileSync(join(folder, file), 'utf8')))
    .filter((pid) => pid > 0 && existsSync(`/proc/${pid}/exe`));

/** Starts a run of `.ci/processes.mjs` that runs this program. */
function startRun(program: string): ChildProcess {
  const run = `import { openProcesses } from ${JSON.stringify(`${ROOT}.ci/processes.mjs`)};
    openProcesses({}).start(process.execPath, ['-e', ${JSON.stringify(program)}]);`;
  return spawn(process.execPath, ['--input-type=module', '-e', run], {
    stdio: 'ignore',
    env: { ...machineEnvironment(), TMPDIR: folder },
  });
}

it.each([
  ['a group of its own', (program: string) => `${starter(program, '{}')} setInterval(() => {}, 1e6);`],
  [
    'a group of its own, under a name with spaces and parentheses,',
    (program: string) =>
      `${starter(`process.title = 'a) R 1 (b'; ${starter(program, '{}')} setInterval(() => {}, 1e6);`, '{}')}
       setInterval(() => {}, 1e6);`,
  ],
  [
    'a group whose starter has ended',
    (program: string) => starter(program, '{ TMPDIR: process.env.TMPDIR }'),
  ],
  [
    'a group whose starter has ended, started by one of that kind,',
    (program: string) =>
      starter(`${starter(program, '{}')} setInterval(() => {}, 1e6);`, '{ TMPDIR: process.env.TMPDIR }'),
  ],
])(
  'a stopped run leaves no process behind that is in %s and has an environment of its own',
  async (_case, program) => {
    const run = startRun(`${program(sleeper('one'))}`);
    const ended = once(run, 'exit');
    await eventually('the process', () => running().length, { until: (count) => count === 1 });
    run.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    expect(await eventually('its end', () => running().length, { until: (count) => count === 0 })).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('legate-check-'))).toEqual([]);
  },
);
