import { describe, expect, it } from '@jest/globals';
import { needs, refuseInCi } from './needs.ts';

describe('with CI set', () => {
  it.each([{}, { CI: '' }, { CI: 'false' }])('accepts what is missing outside CI: %p', (env) => {
    expect(() => refuseInCi(['Redis'], env)).not.toThrow();
  });

  it('refuses what is missing, and says how to install it', () => {
    expect(() => refuseInCi(['Redis', 'promtool'], { CI: 'true', ALLOWED_TO_MISS: 'promtool' })).toThrow(
      'missing: Redis (apt-get install redis-server)',
    );
  });

  it('accepts what may be missing', () => {
    expect(() => refuseInCi(['promtool'], { CI: 'true', ALLOWED_TO_MISS: 'promtool,Redis' })).not.toThrow();
  });

  it('refuses an allowance for something that no test needs', () => {
    expect(() => refuseInCi(['promtool'], { CI: 'true', ALLOWED_TO_MISS: 'promtool,promtol' })).toThrow(
      'ALLOWED_TO_MISS names promtol',
    );
  });
});

it('returns the functions of Jest, and a path, where nothing is missing', () => {
  const tests = needs();
  expect(tests).toEqual({ describe, it, path: {} });
});
