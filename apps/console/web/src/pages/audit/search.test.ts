import { expect, it } from '@jest/globals';
import { hasDays, isFiltered, queryOf, rangeOf, readSearch } from './search.ts';

it('reads the filters of a URL, and omits malformed ones', () => {
  const search = { outcome: 'refused', range: 'week', offset: 50, q: 42, actor: 'user_bob', event: 'evt_1' };
  expect(readSearch(search)).toEqual({ ...search, q: '42' });
  expect(readSearch({ outcome: 'maybe', range: 'year', offset: -1, q: '', actor: {}, rule: null })).toEqual(
    {},
  );
});

it('cuts a text that is too long for the API', () => {
  expect(readSearch({ q: 'x'.repeat(1000) }).q?.length).toBe(255);
});

it('reads the id of a request from a link of the palette', () => {
  const search = readSearch({ request: 'req_72ad1234' });
  expect(queryOf(search, new Date()).request_id).toBe('req_72ad1234');
  expect(isFiltered(search)).toBe(true);
});

it('does not treat range and page as filters', () => {
  expect(isFiltered({ range: 'day', offset: 50, event: 'evt_1' })).toBe(false);
  expect(isFiltered({ rule: 'tool_not_bound' })).toBe(true);
});

it('starts the range at the beginning of a minute, so that the response can be cached', () => {
  const now = new Date('2026-11-22T14:02:11.500Z');
  expect(queryOf({ range: 'day' }, now).from).toBe('2026-11-21T14:02:00.000Z');
  expect(queryOf({}, now).from).toBeUndefined();
});

it('reads days, and omits invalid ones', () => {
  expect(readSearch({ from: '2026-11-01', to: '2026-11-22' })).toEqual({
    from: '2026-11-01',
    to: '2026-11-22',
  });
  expect(readSearch({ from: '2026-02-30', to: 'today' })).toEqual({});
});

it("requests the time from the beginning of the first day to the end of the last, in the reader's time zone", () => {
  const search = { from: '2026-11-01', to: '2026-11-30' };
  expect(queryOf(search, new Date())).toMatchObject({
    from: new Date(2026, 10, 1).toISOString(),
    to: new Date(2026, 11, 1).toISOString(),
  });
  expect([hasDays(search), hasDays({ range: 'day' })]).toEqual([true, false]);
});

it('tells the first and the last time of the range that the API shows', () => {
  const now = new Date('2026-11-22T14:02:00.000Z');
  expect(rangeOf({}, now)).toEqual({ from: new Date('2026-10-23T14:02:00.000Z'), to: now });
  expect(rangeOf({ from: '2026-11-01', to: '2026-11-03' }, now)).toEqual({
    from: new Date(2026, 10, 1),
    to: new Date(2026, 10, 3, 23, 59, 59, 999),
  });
});
