import { expect, it } from '@jest/globals';
import { findMutants } from './find-mutants.ts';
import { applyEdit } from './mutant.ts';

/** Each mutant of a piece of code, as the whole mutated text. */
const mutantsOf = (source: string): string[] =>
  findMutants('src/x.ts', source).map((mutant) => applyEdit(source, mutant));

it.each<[string, string, string[]]>([
  ['a condition', 'if (a) b;', ['if (true) b;', 'if (false) b;']],
  ['a choice', 'x = a ? b : c;', [';', 'x = true ? b : c;', 'x = false ? b : c;']],
  ['a loop, which would never end if its condition were true', 'while (a) {}', ['while (false) {}']],
  ['a logical operator', 'const x = a && b;', ['const x = a;', 'const x = b;']],
  [
    'operands in parentheses',
    'const x = (a || b) && c;',
    ['const x = (a || b);', 'const x = c;', 'const x = (a) && c;', 'const x = (b) && c;'],
  ],
  ['a bound', 'const x = a < b;', ['const x = a <= b;']],
  ['a comparison', 'const x = a === b;', ['const x = a !== b;']],
  ['a negation', 'const x = !a;', ['const x = a;']],
  ['a sum', 'const x = a + b;', ['const x = a - b;']],
  ['a boolean', 'const x = true;', ['const x = false;']],
  ['a number', 'const x = 60;', ['const x = 120;']],
  ['zero', 'const x = 0;', ['const x = 1;']],
  ['a throw', "throw new TypeError('a' + b);", [';']],
  [
    'an early return',
    'function f() { if (a) return; }',
    [
      'function f() { if (true) return; }',
      'function f() { if (false) return; }',
      'function f() { if (a) ; }',
    ],
  ],
  ['a call', 'f();', [';']],
  ['an awaited call', 'await f();', [';']],
  ['an assignment', 'a = b;', [';']],
  ['members of a list', 'const x = [a, b];', ['const x = [b];', 'const x = [a];']],
  [
    'members of an object',
    'const x = { a: 1, b, c() {} };',
    ['const x = { b, c() {} };', 'const x = { a: 2, b, c() {} };'],
  ],
  ['an error code', "const x = { error: 'invalid_grant' };", ['const x = {};']],
  ['parts of a key', `const x = \`\${a}:\${b}\`;`, [`const x = \`:\${b}\`;`, `const x = \`\${a}:\`;`]],
  ['a method with an opposite', 'const x = a.some(b);', ['const x = a.every(b);']],
])('changes %s', (_case, source, expected) => {
  expect(mutantsOf(source)).toEqual(expected);
});

it.each([
  ['types', 'type A = [1, 2]; const a: 1 = b; interface B { c: true }'],
  ['sentences', `const x = \`no \${a} here\`;`],
  ['log lines', "deps.log.info({ a: 1 }, 'x' ? 'y' : 'z');"],
  ['why something is, as the log tells it', "const x = { reason: 'b' };"],
  ['what a check says', "const x = f({ error: 'must not be empty' });"],
  ['what an error says', "const x = new Problem(403, a ? 'b' : 'c');"],
  ['what a problem says', "const x = problem('forbidden', { detail: a ? 'b' : 'c' });"],
  ['a concatenated text', "const x = 'a' + b;"],
  ['defaults that only the compiler needs', "const x = a[b] ?? '';"],
])('does not change %s', (_case, source) => {
  const changes = findMutants('src/x.ts', source).map(({ mutator }) => mutator);
  expect(changes).toEqual([]);
});

it('reports the position of a mutant', () => {
  const [mutant] = findMutants('src/x.ts', 'f(\n  a < b,\n);').filter(
    ({ mutator }) => mutator === 'bound moved',
  );
  expect(mutant).toMatchObject({ file: 'src/x.ts', line: 2, original: '<', replacement: '<=' });
});

it('gives a mutant an id that survives changes around it, and distinct ids to equal mutants', () => {
  const bounds = (source: string) =>
    findMutants('src/x.ts', source)
      .filter(({ mutator }) => mutator === 'bound moved')
      .map(({ id }) => id);
  const [first, second] = bounds('const x = a < b;\nconst y = a < b;');
  expect(first).not.toBe(second);
  expect(bounds('const added = 1;\nconst x = a < b;')).toEqual([first]);
});
