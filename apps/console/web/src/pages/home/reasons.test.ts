import { expect, it } from '@jest/globals';
import { reasonsOf } from './reasons.ts';

const count = (key: string | null, allowed: number, refused: number, failed = 0) => ({
  ...{ period_start: '', period_end: '', key, allowed, refused, failed },
});

it('orders the rules by the calls that they stopped, and omits those that allowed calls', () => {
  const counts = [
    count('token_cached', 50, 0),
    count('rate_limited', 9, 1),
    count('tool_not_bound', 0, 2, 1),
  ];
  expect(reasonsOf(counts)).toEqual({
    shown: [
      { rule: 'tool_not_bound', calls: 3 },
      { rule: 'rate_limited', calls: 1 },
    ],
    others: { refused: 0, failed: 0 },
  });
});

it('counts what was stopped by a sixth rule, and by none', () => {
  const rules = ['a', 'b', 'c', 'd', 'e'].map((rule) => count(rule, 0, 9));
  const { shown, others } = reasonsOf([count(null, 0, 20, 1), ...rules, count('f', 0, 2, 4)]);
  expect([shown.map(({ rule }) => rule), others]).toEqual([
    ['a', 'b', 'c', 'd', 'e'],
    { refused: 22, failed: 5 },
  ]);
});
