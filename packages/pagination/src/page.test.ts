import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { PageQuery, PageText, pageOf, toPage } from './index.ts';

it.each([
  [{}, { limit: 20, offset: 0 }],
  [{ limit: '1' }, { limit: 1, offset: 0 }],
  [
    { limit: '100', offset: '999999999' },
    { limit: 100, offset: 999_999_999 },
  ],
  [{ limit: '007' }, { limit: 7, offset: 0 }],
])('reads %j as %j', (query, expected) => {
  expect(PageQuery.parse(query)).toEqual(expected);
});

it.each([
  ['limit below 1', { limit: '0' }],
  ['limit above 100', { limit: '101' }],
  ['an exponent', { limit: '1e2' }],
  ['a sign', { limit: '+5' }],
  ['a negative number', { offset: '-1' }],
  ['hexadecimal', { limit: '0x10' }],
  ['a fraction', { limit: '10.0' }],
  ['a blank', { limit: '' }],
  ['surrounding blanks', { limit: ' 5' }],
  ['a trailing newline', { limit: '5\n' }],
  ['digits of another script', { limit: '\u0665' }],
  ['ten digits', { offset: '1000000000' }],
  ['a repeated parameter', { limit: ['5', '5'] }],
  ['an unknown parameter', { page: '1' }],
])('refuses %s', (_case, query) => {
  expect(PageQuery.safeParse(query).success).toBe(false);
});

it('sets has_more exactly if more items follow, for any page of any list', () => {
  const numbers = fc.tuple(
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 0, max: 400 }),
  );
  fc.assert(
    fc.property(numbers, ([total, limit, offset]) => {
      const all = Array.from({ length: total }, (_, index) => index);
      const page = toPage(all.slice(offset, offset + limit), total, { limit, offset });
      expect(page.pagination.has_more).toBe(all.slice(offset + limit).length > 0);
      expect(pageOf(z.number()).parse(page)).toEqual(page);
    }),
  );
});

it('serializes a page of JSON text from a database like a page of items', () => {
  const text = '[{"id" : 1, "name" : "\\u00e9"}]';
  const request = { limit: 2, offset: 3 };
  for (const isCut of [false, true]) {
    const page = toPage([{ id: 1, name: 'é' }], 9, request, isCut);
    const written = new PageText(text, { count: 1, total: 9, isCut }, request);
    expect(JSON.parse(written.toText())).toEqual(page);
    expect(JSON.parse(JSON.stringify(written))).toEqual(page);
    expect(written.data).toEqual(page.data);
  }
});

it('does not promise more items past the end', () => {
  expect(toPage([], 5, { limit: 20, offset: 50 }).pagination).toEqual({
    total: 5,
    limit: 20,
    offset: 50,
    has_more: false,
  });
});
