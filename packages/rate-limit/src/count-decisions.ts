import type { RateLimiter, Usage } from './limiter.ts';

/** Returns a limiter that works like the given one and reports its decisions. */
export function countDecisions(
  limiter: RateLimiter,
  onDecision: (decision: 'allowed' | 'refused') => void,
): RateLimiter {
  function report(usage: Usage): Usage {
    onDecision(usage.exceeded ? 'refused' : 'allowed');
    return usage;
  }
  return {
    consume: (key, limit) => limiter.consume(key, limit).then(report),
    peek: (key, limit) => limiter.peek(key, limit),
    giveBack: async (key) => limiter.giveBack?.(key),
    refusedUnasked: () => onDecision('refused'),
  };
}
