import { expect, it } from '@jest/globals';
import { parseOptions } from './options.ts';

it('measures everything at length unless told otherwise', () => {
  expect(parseOptions([])).toEqual({
    rounds: 9,
    requestsPerRound: 2000,
    only: undefined,
    json: false,
    profile: false,
  });
});

it('is quick, profiles, and picks a path on request', () => {
  const options = parseOptions(['--quick', '--json', '--profile', '--only', 'JWT']);
  expect(options).toMatchObject({ rounds: 3, only: 'JWT', json: true, profile: true });
});

it('refuses what it does not know', () => {
  expect(() => parseOptions(['--fast'])).toThrow("Unknown option '--fast'");
});

it('knows when it is only asked what there is', () => {
  expect([parseOptions(['--help']), parseOptions(['--quick', '-h'])]).toEqual([undefined, undefined]);
});
