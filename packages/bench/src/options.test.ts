import { expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

it('measures everything at length by default', () => {
  expect(parseOptions([])).toEqual({
    rounds: 9,
    requestsPerRound: 2000,
    only: undefined,
    json: false,
    profile: false,
    guard: false,
    against: undefined,
  });
});

it('is quick, profiles, and picks a path on request', () => {
  const options = parseOptions(['--quick', '--json', '--profile', '--only', 'JWT']);
  expect(options).toMatchObject({ rounds: 3, only: 'JWT', json: true, profile: true });
});

it('takes more rounds for the smaller differences between two builds', () => {
  expect(parseOptions(['--quick', '--against', '../before'])).toMatchObject({
    rounds: 12,
    against: '../before',
  });
});

it('takes the fewest requests where it only guards', () => {
  expect(parseOptions(['--guard'])).toMatchObject({ rounds: 3, requestsPerRound: 500, guard: true });
});

it('refuses an unknown option', () => {
  expect(() => parseOptions(['--fast'])).toThrow("Unknown option '--fast'");
});

it('recognizes a request for help', () => {
  expect([parseOptions(['--help']), parseOptions(['--quick', '-h'])]).toEqual([undefined, undefined]);
});
