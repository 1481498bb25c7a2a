import { expect, it } from '@jest/globals';
import { isInvisible, isUnfitForName, shownAsName } from '../index.ts';

it.each(['\u3164', '\u2800', '\u115f', '\u200b\u200d', ' \u00a0', '\u{e0041}', ''])(
  'nothing of %j can be seen',
  (text) => {
    expect(isInvisible(text)).toBe(true);
  },
);

it.each([
  ['Desk\u202e of Acme', true, 'Desk of Acme'],
  ['A\u0000\nB', true, 'A B'],
  ['A\u3164B', true, 'A B'],
  ['A\ud800', true, 'A'],
  ['A  B', false, 'A B'],
  ['میخواهم', false, 'میخواهم'],
  ['می‌خواهم', false, 'می‌خواهم'],
  ['👩‍💻', false, '👩‍💻'],
])('%j (not allowed in a name: %s) is shown as %j', (text, unfit, shown) => {
  expect([isUnfitForName(text), shownAsName(text)]).toEqual([unfit, shown]);
});
