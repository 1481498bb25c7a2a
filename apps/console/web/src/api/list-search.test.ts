import { expect, it } from '@jest/globals';
import { listSearch } from './list-search.ts';

const parse = listSearch('status');

it('keeps the filters of the page, sort and offset', () => {
  const search = { search: 'bill', status: 'error', sort: '-name', offset: 50 };
  expect(parse(search)).toEqual(search);
});

it('takes a number that was typed as a search for its text', () => {
  expect(parse({ search: 42 })).toEqual({ search: '42' });
});

it('cuts a text that no service would take', () => {
  expect(parse({ status: 'x'.repeat(1000) }).status).toHaveLength(100);
});

it.each([
  [{ offset: -1 }],
  [{ offset: 1.5 }],
  [{ offset: 'x' }],
  [{ search: {} }],
  [{ search: '' }],
  [{ method: 'of another page' }],
])('leaves out %j', (raw) => {
  expect(parse(raw)).toEqual({});
});
