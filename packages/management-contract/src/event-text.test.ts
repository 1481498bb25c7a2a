import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { eventText, toEventText } from './event-text.ts';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyX2FsaWNlIn0.c2lnbmF0dXJl';
const isAccepted = (text: string, max = 255) => eventText(max).safeParse(text).success;

it.each([
  ['a JWT', JWT],
  ['a JWT within a text', `it said ${JWT}!`],
  ['an unsigned JWT', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'],
  ['a bearer header', 'Authorization: Bearer abcdefghijkl'],
  ['a header of HTTP Basic', 'basic YWxpY2U6c2VjcmV0'],
  ['a DPoP header', 'DPoP\nabcdefghijkl'],
])('refuses and redacts %s', (_case, text) => {
  expect([isAccepted(text), toEventText(text, 255)]).toEqual([false, '[redacted]']);
});

it('reports a text that looks like a token with an error code', () => {
  const issues = eventText(255).safeParse(JWT).error?.issues;
  expect(issues).toMatchObject([{ code: 'custom', params: { code: 'token_refused' } }]);
});

it.each(['EYJABCD.x', 'moneyjar-list.all', 'eyJ.a', 'bearer of news', 'Ülkü 🧭', 'find orders'])(
  'accepts and keeps %j',
  (text) => {
    expect([isAccepted(text), toEventText(text, 255)]).toEqual([true, text]);
  },
);

it('redacts the beginning of a JWT but does not refuse it, because a hash may contain it by chance', () => {
  const beginning = JWT.slice(0, 15);
  expect([isAccepted(beginning), toEventText(beginning, 255)]).toEqual([true, '[redacted]']);
});

it.each([
  ['a control character', 'a\u0000b', 'a\uFFFDb'],
  ['a line break', 'a\nb', 'a\uFFFDb'],
  ['half a character', 'a\ud800', 'a\uFFFD'],
  ['more than the maximum', 'a'.repeat(256), 'a'.repeat(255)],
])('refuses and replaces %s', (_case, text, expected) => {
  expect([isAccepted(text), toEventText(text, 255)]).toEqual([false, expected]);
});

it('keeps a text of the maximum length, and refuses an empty one', () => {
  for (const length of [1, 64, 65, 255]) {
    const text = 'a b'.repeat(100).slice(0, length);
    expect([isAccepted(text), toEventText(text, 255)]).toEqual([true, text]);
  }
  expect(isAccepted('')).toBe(false);
});

it('replaces half a character at the end of a truncated text', () => {
  expect(toEventText(`${'a'.repeat(254)}🧭b`, 255)).toBe(`${'a'.repeat(254)}\uFFFD`);
});

it.each([undefined, ''])('returns undefined for %j', (text) => {
  expect(toEventText(text, 255)).toBeUndefined();
});

it('accepts every text that toEventText returns', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('eyJ', 'a'.repeat(60), '.', 'Bearer', ' ', '\n', '\ud83e', ':', JWT),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(64, 255, 500), (raw, max) => {
      const made = toEventText(raw, max);
      expect(made === undefined ? raw === '' : isAccepted(made, max)).toBe(true);
    }),
    runs(2000),
  );
});
