import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { parseCommandLine } from './command-line/program.ts';
import { commandTable } from './command-table.ts';

// The end-to-end tests run what documents type in blocks of commands. A block of `text` has what they cannot run.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BLOCK = /^```text\n(.*?)^```/gms;
/** A line that is typed, not one of an output, and not the usage of a command */
const TYPED = /^(\$ |legate (?!.*[<[]))/;
const CALL = /\blegate(?= |$)((?: (?:'[^']*'|[^\s'"<>|)]+))*)/g;

const calls = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .flatMap((path) =>
    [...readFileSync(ROOT + path, 'utf8').matchAll(BLOCK)]
      .flatMap(([, text = '']) => text.split('\n'))
      .filter((line) => TYPED.test(line))
      .flatMap((line) => [...line.matchAll(CALL)])
      .map(([call, args = '']) => [path, call, args] as const),
  );

const wordsOf = (args: string): string[] =>
  [...args.matchAll(/'([^']*)'|([^\s']+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

it.each(calls)('%s types what legate accepts: %s', (_path, _call, args) => {
  expect(parseCommandLine(commandTable(''), wordsOf(args), { width: 80, write() {} })).not.toHaveProperty(
    'kind',
  );
});

it('finds what is typed', () => {
  const paths = [
    'docs/how-to/sign-in-without-a-browser.md',
    'docs/reference/cli.md',
    'packages/cli/README.md',
  ];
  expect(calls.map(([path]) => path)).toEqual(expect.arrayContaining(paths));
});
