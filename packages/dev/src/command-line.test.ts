import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { IMITATED } from './stack/imitated.ts';

const RUN = fileURLToPath(new URL('../bin/run.js', import.meta.url));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const COMMANDS = [
  ['start', 'npm start'],
  ['demo', 'npm run demo'],
  ['settings', 'npm run settings'],
] as const;

it.each(COMMANDS)('%s --help describes the command, and builds nothing first', (command, typed) => {
  for (const option of ['--help', '-h'])
    expect(run(command, option)).toEqual({
      status: 0,
      stdout: expect.stringMatching(`^${typed}\n`),
      stderr: '',
    });
});

it('start --help names every identity provider that can be imitated', () => {
  const { stdout } = run('start', '--help');
  for (const name of IMITATED) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
});

it.each(COMMANDS)('%s exits with 2 and one line for an unknown argument', (command, typed) => {
  const advice = `; ${typed} -- --help lists the options\n`;
  expect(run(command, '--fast')).toEqual({
    status: 2,
    stdout: '',
    stderr: `Unknown option '--fast'${advice}`,
  });
  expect(run(command, 'fast')).toEqual({
    status: 2,
    stdout: '',
    stderr: `Unexpected argument 'fast'${advice}`,
  });
});

it('an unknown command prints one line', () => {
  const { status, stderr } = run('toString');
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^toString is no command;[^\n]*\n$/)]);
});
