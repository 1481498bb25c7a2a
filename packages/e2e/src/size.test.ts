import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { countLines } from '../../../scripts/size/count-lines.mjs';

const SIZE = fileURLToPath(new URL('../../../scripts/size/size.mjs', import.meta.url));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'size-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

it.each([
  ['blank lines', 'a.ts', '\n \t\nconst a = 1;\n\n', 1],
  ['comments', 'a.ts', '// one\n/** two\n * three\n */\nconst a = 1;\n', 1],
  ['a comment beside code, once', 'a.ts', 'const a /* one\n two */ = 1; // three\n', 2],
  ['strings that look like a comment', 'a.ts', "const a = 'http://b';\nconst c = `\n// d\n/* e */\n`;\n", 5],
  ['regular expressions that do', 'a.mjs', 'const a = 4 / 2 / 1;\nconst b = /[/*]/;\nconst c = /[*/]/;\n', 3],
  ['types and elements', 'a.tsx', 'const a = <T,>(b: T) => <p>{/* c */}// d</p>;\n/* e */', 1],
  ['CommonJS', 'a.cjs', '#!/usr/bin/env node\n// a\nmodule.exports = 1;', 2],
  ['SQL', 'a.sql', '-- a\n/* b\n*/\nSELECT 1 -- c\n;', 2],
  ['style sheets', 'a.css', '/* a\n */\np { color: red; }', 1],
  ['markup', 'a.html', '<!-- a\n -->\n<p># b</p>', 1],
  ['YAML', 'a.yaml', '# a\nb: "#"\n  # c\n', 1],
  ['shell, by its extension', 'a.sh', '#!/bin/sh\n# a\necho "# b"\n', 2],
  ['shell, by its first line', 'a', '#!/bin/sh\n# a\necho\n', 2],
  ['a Dockerfile', 'Dockerfile', '# a\nFROM b\n', 1],
  ['none of what is not code', 'a', 'a\n', undefined],
])('counts lines of code: %s', (_what, file, text, lines) => {
  expect(countLines(file, text)).toBe(lines);
});

it('distinguishes the groups', () => {
  write('apps/shop/src/main.ts', 'main();\n');
  write('apps/shop/src/main.int.test.ts', 'it();\n'.repeat(2));
  write('packages/shop/src/index.ts', 'a();\n'.repeat(3));
  write('packages/shop/src/testing/fake.ts', 'a();\n'.repeat(4));
  write('packages/testing/src/index.ts', 'a();\n'.repeat(10));
  write('packages/e2e/src/stack.ts', 'a();\n'.repeat(20));
  write('packages/e2e/src/stack.test.ts', 'a();\n'.repeat(30));
  write('examples/shop/main.ts', 'a();\n'.repeat(50));
  write('packages/contract/documents/shop.json', '{}\n');
  write('packages/shop/package.json', '{}\n');
  write('logo.svg', '<svg />\n');
  write('docs/a.md', '# Two words\n\n- it’s `a.b` | — 4\n');
  expect(size()).toEqual([
    'lines of code 120 in 8 files',
    'tests 36 in 3 files',
    'product: apps 1 in 1 files',
    'development packages 30 in 2 files',
    'product: packages 3 in 1 files',
    'examples 50 in 1 files',
    'infrastructure, scripts 0 in 0 files',
    'lines of generated code 1 in 1 files',
    'words of Markdown 5 in 1 files',
  ]);
});

it('counts tracked files, except deleted ones', () => {
  write('a.ts', 'a();\n');
  write('b.ts', 'b();\n');
  rmSync(join(root, 'b.ts'));
  writeFileSync(join(root, 'c.ts'), 'c();\n');
  expect(size()[0]).toBe('lines of code 1 in 1 files');
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  execFileSync('git', ['add', file], { cwd: root });
}

/** The lines that the command prints, each with single spaces */
function size(): string[] {
  const printed = execFileSync(process.execPath, [SIZE, '--root', root], { encoding: 'utf8' });
  return printed
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '));
}
