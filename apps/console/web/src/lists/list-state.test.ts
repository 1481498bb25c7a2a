import { expect, it } from '@jest/globals';
import { changeSearch } from './list-state.ts';

it('returns to the first page when a filter changes', () => {
  expect(changeSearch({ offset: 50, status: 'error', tab: 'all' }, { status: 'ready' })).toEqual({
    status: 'ready',
    tab: 'all',
  });
});

it('keeps the filters when the page of the list changes', () => {
  expect(changeSearch({ status: 'error', offset: 50 }, { offset: 100 })).toEqual({
    status: 'error',
    offset: 100,
  });
});

it('removes parameters that are not set from the URL', () => {
  expect(
    changeSearch({ status: 'error', search: 'a' }, { status: '', search: undefined, offset: 0 }),
  ).toEqual({});
});
