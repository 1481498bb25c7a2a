import { expect, it, jest } from '@jest/globals';

/** Each of two test files finds the process as it was, whichever of them runs first. */
export function expectCleanThenMakeMess(): void {
  it('finds the process clean', () => {
    expect(process.env).not.toHaveProperty('LEFT_BEHIND');
    expect(process.cwd()).toMatch(/packages.testing$/);
    expect(process.uptime()).toBeGreaterThan(0);
    expect(new Date()).not.toEqual(new Date(0));
  });

  it('leaves a mess', () => {
    process.env.LEFT_BEHIND = 'a value';
    process.chdir('/');
    jest.spyOn(process, 'uptime').mockReturnValue(-1);
    jest.useFakeTimers({ now: 0 });
    jest.setTimeout(1);
  });
}
