import { expect, it } from '@jest/globals';
import { findMutants } from '../mutants/find-mutants.ts';
import type { Verdict } from '../runner/judge.ts';
import { parseAccepted } from './accepted.ts';
import { report } from './report.ts';

const MUTANTS = findMutants('src/x.ts', 'f();\ng();\nh();\ni();');
const [FIRST, SECOND] = MUTANTS;
const judgedAs = (...kinds: Verdict['kind'][]) =>
  kinds.flatMap((kind, index) => {
    const mutant = MUTANTS[index];
    return mutant ? [{ mutant, verdict: { kind, by: 'x.test.ts' } }] : [];
  });
const accepted = (id = '') => [
  { id, file: 'src/x.ts', code: 'f();', change: 'left out', reason: 'the effect is the same' },
];

it('is clean if each survivor has a reason, and prints the reasons', () => {
  const { text, isClean } = report(judgedAs('survived', 'killed'), [], MUTANTS, accepted(FIRST?.id));
  expect(isClean).toBe(true);
  expect(text).toContain('the effect is the same');
  expect(text).toContain(
    '2 mutants of 4: 1 killed, 0 timed out (together 50 %), 1 survived (0 without a reason)',
  );
});

it('is not clean if a survivor has no reason, and names it', () => {
  const { text, isClean } = report(judgedAs('killed', 'survived'), [], MUTANTS, accepted(FIRST?.id));
  expect(isClean).toBe(false);
  expect(text).toMatch(new RegExp(`without a reason:\n  ${SECOND?.id} src/x.ts:2 `));
});

it('counts time-outs separately from killed ones', () => {
  const { text, isClean } = report(judgedAs('timed out', 'killed', 'killed'), [], MUTANTS, []);
  expect(isClean).toBe(true);
  expect(text).toContain(
    '3 mutants of 4: 2 killed, 1 timed out (together 100 %), 0 survived (0 without a reason)',
  );
});

it('names reasons whose mutant is gone or killed, and tests that fail without a mutant', () => {
  const gone = report(judgedAs('killed'), ['y.test.ts'], MUTANTS, accepted('gone'));
  expect(gone.text).toContain('explain nothing any more:\n  gone');
  expect(gone.text).toContain('fail without a mutant:\n  y.test.ts');
  expect(report(judgedAs('killed'), [], MUTANTS, accepted(FIRST?.id)).text).toContain('explain nothing');
  expect(report(judgedAs('survived'), [], MUTANTS, accepted(FIRST?.id)).text).not.toContain(
    'explain nothing',
  );
});

it.each([
  ['no reason', [{ id: 'a', file: 'b', code: 'c', change: 'd' }]],
  ['a reason that says nothing', [{ id: 'a', file: 'b', code: 'c', change: 'd', reason: 'ok' }]],
])('refuses an accepted survivor with %s', (_case, entries) => {
  expect(() => parseAccepted(JSON.stringify(entries))).toThrow('reason');
});
