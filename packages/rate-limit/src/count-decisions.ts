import type { RateLimiter } from './limiter.ts';

/** The same limiter, which tells what it decides. */
export function countDecisions(
  limiter: RateLimiter,
  onDecision: (decision: 'allowed' | 'refused') => void,
): RateLimiter {
  return {
    async consume(key, limit) {
      const usage = await limiter.consume(key, limit);
      onDecision(usage.exceeded ? 'refused' : 'allowed');
      return usage;
    },
    peek: (key, limit) => limiter.peek(key, limit),
    refusedUnasked: () => onDecision('refused'),
  };
}
