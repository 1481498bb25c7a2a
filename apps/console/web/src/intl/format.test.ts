import { expect, it } from '@jest/globals';
import { count, relativeTime } from './format.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

it.each([
  ['2026-11-22T11:59:40Z', 'just now'],
  ['2026-11-22T11:55:00Z', '5 minutes ago'],
  ['2026-11-22T10:00:00Z', '2 hours ago'],
  ['2026-11-21T11:00:00Z', 'yesterday'],
  ['2026-11-26T13:00:00Z', 'in 4 days'],
  ['2026-10-22T12:00:00Z', '22 Oct'],
  ['2025-10-22T12:00:00Z', '22 Oct 2025'],
])('writes %s as %s', (at, words) => {
  expect(relativeTime(new Date(at), NOW)).toBe(words);
});

it('uses the singular or plural form that the number requires', () => {
  expect([count(1, 'tool', 'tools'), count(1204, 'tool', 'tools')]).toEqual(['1 tool', '1,204 tools']);
});
