import { expect, it } from '@jest/globals';
import { countDecisions, createRateLimiter } from './index.ts';

it('reports the decision for each counted request, but not for peeks', async () => {
  const decisions: string[] = [];
  const limiter = countDecisions(createRateLimiter({ clock: () => new Date(0) }), (decision) =>
    decisions.push(decision),
  );
  const usages = [await limiter.consume('a', 1), await limiter.consume('a', 1), await limiter.peek('a', 1)];
  expect(usages.map(({ exceeded }) => exceeded)).toEqual([false, true, false]);
  expect(decisions).toEqual(['allowed', 'refused']);
});
