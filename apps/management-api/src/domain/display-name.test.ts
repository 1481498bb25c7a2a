import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { DisplayName } from './display-name.ts';

it.each([
  ['  Portal  ', 'Portal'],
  ['e\u0301', '\u00e9'],
  ['👩‍💻 Team', '👩‍💻 Team'],
  ['\u200fשלום', '\u200fשלום'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['\u{20000}'.repeat(100), '\u{20000}'.repeat(100)],
])('normalizes %j to %j', (written, name) => {
  expect(DisplayName.parse(written)).toBe(name);
});

it.each([
  '',
  ' \t\n',
  '\u00a0',
  'x'.repeat(101),
  'a\nb',
  'a\u0000',
  'a\u007f',
  'a\u2028b',
  'acme\u202egro.live',
  'a\u2066b',
  '\u200b\u2060',
  '\u3164',
  '\u2800 \u2800',
  '\u115f\u1160\uffa0',
  '\u034f\ufe0f',
  '\u{e0041}',
  '\udc00',
  'a\u2800b',
  'a\u3164b',
  'a\ue000',
  'a\u{f0000}',
  'a\u0378',
  'a\u{10ffff}',
  7,
  null,
])('refuses %j', (written) => {
  expect(DisplayName.safeParse(written).success).toBe(false);
});

it('returns 1 to 100 code points that can be stored, and does not change its own output', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (written) => {
      const { data: name } = DisplayName.safeParse(written);
      if (name === undefined) return;
      const length = [...name].length;
      expect(length >= 1 && length <= 100).toBe(true);
      expect(Buffer.from(name, 'utf8').toString('utf8')).toBe(name);
      expect(DisplayName.parse(name)).toBe(name);
    }),
    runs(1000),
  );
});
