import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SHELLS } from '../command-line/completion.ts';
import { commandTable } from '../command-table.ts';
import { runTyped } from '../testing/run-typed.ts';

const scripts: Record<string, string> = {};
beforeAll(async () => {
  for (const shell of SHELLS) scripts[shell] = (await runTyped(['completion', shell])).stdout;
});

/** Returns the completions of bash for a typed line, as if Tab were pressed at its end. */
function complete(typed: string): string[] {
  const words = typed.split(' ');
  const program = `${scripts.bash}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_legate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-euc', program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bash', () => {
  it.each([
    ['legate to', ['token', 'tools']],
    ['legate con', ['connectors']],
    ['legate connectors ', ['list', 'get', 'add', 'remove']],
    ['legate audit tail --f', ['--follow']],
    ['legate audit tail --follow --s', ['--since']],
    ['legate connectors add --sec', ['--secret-stdin']],
    ['legate completion ', ['bash', 'zsh', 'fish', '--help']],
    ['legate token --j', ['--json']],
    ['legate explain tools --j', ['--json']],
    ['legate nope ', commandsAndGroups()],
  ])('completes "%s"', (typed, words) => {
    expect(complete(typed).sort()).toEqual([...words].sort());
  });

  it('is registered for legate', () => {
    const { stdout } = spawnSync('bash', ['--norc', '-c', `${scripts.bash}\ncomplete -p legate`], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('-F _legate legate');
  });
});

function commandsAndGroups(): string[] {
  const { commands, groups } = commandTable('');
  return [
    ...commands.map(({ name }) => name).filter((name) => !name.includes(' ')),
    ...groups.map(({ name }) => name),
  ];
}

it.each(['zsh', 'fish'])('includes every command and option for %s', (shell) => {
  const { commands } = commandTable('');
  for (const { name, options } of commands)
    for (const word of [...name.split(' '), ...Object.keys(options)]) expect(scripts[shell]).toContain(word);
});
