import { expect, it } from '@jest/globals';
import { shortChanges } from './short-changes.ts';

const LONG = 'x'.repeat(41);

it.each([
  ['both values', { role: { from: 'developer', to: 'admin' } }, ['role developer → admin']],
  ['a switch by its new value', { enabled: { from: true, to: false } }, ['enabled: no']],
  ['a value where none was', { timeout_ms: { from: null, to: 500 } }, ['timeout ms: 500']],
  [
    'a value that was taken away',
    { description: { from: 'Notes', to: null } },
    ['description Notes → nothing'],
  ],
  ['a list by its name only', { tools: { from: ['a'], to: ['a', 'b'] } }, ['tools changed']],
  ['a long text by its name only', { text: { from: 'a', to: LONG } }, ['text changed']],
  ['a long text that became short', { text: { from: LONG, to: 'a' } }, ['text: a']],
  ['a secret by its name only', { secret: { from: '[redacted]', to: '[redacted]' } }, ['secret changed']],
  [
    'that there is more',
    { a: { to: 1 }, b: { to: 2 }, c: { to: 3 }, d: { to: 4 } },
    ['a: 1', 'b: 2', 'c: 3', 'and 1 more'],
  ],
])('shows %s', (_case, changes, expected) => {
  expect(shortChanges({ action: 'connector.updated', changes } as never)).toEqual(expected);
});

it.each([
  [
    'a change that the action says',
    { action: 'member.deactivated', changes: { status: { from: 'active', to: 'deactivated' } } },
  ],
  ['something new', { action: 'site.created', changes: { name: { from: null, to: 'Portal' } } }],
  ['an event without changes, or whose changes a list leaves out', { action: 'site.updated', changes: null }],
])('shows nothing of %s', (_case, event) => {
  expect(shortChanges(event)).toEqual([]);
});
