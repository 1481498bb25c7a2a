import { describe, expect, it } from '@jest/globals';
import { needs, refuseInCi } from './needs.ts';

describe('with CI set', () => {
  it.each([{}, { CI: '' }, { CI: 'false' }])('allows a missing program outside CI: %p', (env) => {
    expect(() => refuseInCi(['Redis'], env)).not.toThrow();
  });

  it('refuses a missing program, and explains how to install it', () => {
    expect(() => refuseInCi(['Redis', 'promtool'], { CI: 'true', ALLOWED_TO_MISS: 'promtool' })).toThrow(
      'missing: Redis (apt-get install redis-server)',
    );
  });

  it('allows a missing program that ALLOWED_TO_MISS names', () => {
    expect(() => refuseInCi(['promtool'], { CI: 'true', ALLOWED_TO_MISS: 'promtool,Redis' })).not.toThrow();
  });

  it('refuses an allowance for something that no test needs', () => {
    expect(() => refuseInCi(['promtool'], { CI: 'true', ALLOWED_TO_MISS: 'promtool,promtol' })).toThrow(
      'ALLOWED_TO_MISS names promtol',
    );
  });
});

it('returns the functions of Jest, and a path, if nothing is missing', () => {
  const tests = needs();
  expect(tests).toEqual({ describe, it, path: {} });
});
