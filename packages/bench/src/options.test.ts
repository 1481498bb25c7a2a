import { expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

it('measures everything in full length by default', () => {
  expect(parseOptions([])).toEqual({
    rounds: 9,
    requestsPerRound: 2000,
    maxUsers: 100_000,
    only: undefined,
    json: false,
    profile: false,
    guard: false,
    memory: false,
    against: undefined,
  });
});

it('has options for a quick run, for profiles, and for single paths', () => {
  const options = parseOptions(['--quick', '--json', '--profile', '--only', 'JWT']);
  expect(options).toMatchObject({ rounds: 3, only: 'JWT', json: true, profile: true });
});

it('uses more rounds to compare two builds, because their differences are smaller', () => {
  expect(parseOptions(['--quick', '--against', '../before'])).toMatchObject({
    rounds: 12,
    against: '../before',
  });
});

it('uses the fewest requests as a guard', () => {
  expect(parseOptions(['--guard'])).toMatchObject({ rounds: 3, requestsPerRound: 500, guard: true });
});

it('refuses an unknown option', () => {
  expect(() => parseOptions(['--fast'])).toThrow("Unknown option '--fast'");
});

it('recognizes a request for help', () => {
  expect([parseOptions(['--help']), parseOptions(['--quick', '-h'])]).toEqual([undefined, undefined]);
});
