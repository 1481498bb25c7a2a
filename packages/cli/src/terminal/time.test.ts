import { expect, it } from '@jest/globals';
import { parseSince, relativeTime } from './time.ts';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const from = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

it.each([
  [240, 'in 4 min'],
  [-1, '1 s ago'],
  [0, 'in 0 s'],
  [3600, 'in 1 h'],
  [-90_000, '1 d ago'],
])('formats %i seconds as %s', (seconds, said) => {
  expect(relativeTime(from(seconds), NOW)).toBe(said);
});

it.each([
  ['90s', from(-90)],
  ['10m', from(-600)],
  ['10min', from(-600)],
  ['2h', from(-7200)],
  ['7d', from(-7 * 86_400)],
  ['2026-11-24', new Date('2026-11-24T00:00:00Z')],
  ['2026-11-24T10:00:00+01:00', new Date('2026-11-24T09:00:00Z')],
  ['', undefined],
  ['10', undefined],
  ['-5m', undefined],
  ['1e3s', undefined],
  ['2026-02-31T99:00', undefined],
])('parses %s', (text, time) => {
  expect(parseSince(text, NOW)).toEqual(time);
});
