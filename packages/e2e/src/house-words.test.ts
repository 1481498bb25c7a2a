import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const CHECK = fileURLToPath(new URL('../../../scripts/words/check.mjs', import.meta.url));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'words-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

it('names each refused word, with its file and line, and what to write instead', () => {
  write(
    'guide.md',
    'A user signs in.\nThen She has her token, and herself.\nHers is new; the hub gives HER one.\n',
  );
  expect(check()).toEqual({
    status: 1,
    stderr: [
      'guide.md:2: "She": write "they", "their", or a noun',
      'guide.md:2: "her": write "they", "their", or a noun',
      'guide.md:2: "herself": write "they", "their", or a noun',
      'guide.md:3: "Hers": write "they", "their", or a noun',
      'guide.md:3: "HER": write "they", "their", or a noun',
      '',
    ],
  });
});

it('refuses a doc comment that begins with a fragment, and refuses some words only in code', () => {
  write(
    'part.ts',
    [
      '/** Of a user. */',
      '/**',
      ' * For a user.',
      ' * As it is.',
      ' */',
      '/** The same again */',
      '/** Returns the end of it. */',
      '/** What a user has, and how. */',
      '// whoever',
      '',
    ].join('\n'),
  );
  write('guide.md', 'Of users, and whoever asks.\n');
  expect(check()).toEqual({
    status: 1,
    stderr: [
      expect.stringMatching(/^part\.ts:1: "Of": write a verb, or a noun with what the thing is/),
      expect.stringMatching(/^part\.ts:3: "For": /),
      expect.stringMatching(/^part\.ts:6: "The same": /),
      expect.stringMatching(/^part\.ts:9: "whoever": /),
      '',
    ],
  });
});

it('accepts parts of words, binary files and ignored files', () => {
  write('guide.md', 'The header; this theatre; is_her; äher; doorway.\n');
  write('picture.png', '\0 her');
  write('.gitignore', 'dist\n');
  write('dist', 'her\n');
  expect(check()).toEqual({ status: 0, stderr: [''] });
});

function write(file: string, text: string): void {
  writeFileSync(join(root, file), text);
}

function check() {
  const { status, stderr } = spawnSync(process.execPath, [CHECK, '--root', root], { encoding: 'utf8' });
  return { status, stderr: stderr.split('\n') };
}
