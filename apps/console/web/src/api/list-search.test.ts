import { expect, it } from '@jest/globals';
import { listSearch } from './list-search.ts';

const parse = listSearch('status');

it("keeps the page's filters, the sort order and the offset", () => {
  const search = { search: 'bill', status: 'error', sort: '-name', offset: 50 };
  expect(parse(search)).toEqual(search);
});

it('accepts a typed number as a search text', () => {
  expect(parse({ search: 42 })).toEqual({ search: '42' });
});

it('cuts a filter value that is longer than the services accept', () => {
  expect(parse({ status: 'x'.repeat(1000) }).status).toHaveLength(100);
});

it.each([
  [{ offset: -1 }],
  [{ offset: 1.5 }],
  [{ offset: 'x' }],
  [{ search: {} }],
  [{ search: '' }],
  [{ method: 'of another page' }],
])('omits %j', (raw) => {
  expect(parse(raw)).toEqual({});
});
