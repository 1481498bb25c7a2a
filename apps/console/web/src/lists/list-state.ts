import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Search parameters to set; `undefined`, an empty text and an offset of 0 take one out. */
export type SearchChange = Readonly<Record<string, string | number | undefined>>;

/** Returns a function that changes search parameters of the page; what it sets replaces the entry of the history. */
export function useSearchChange(): (change: SearchChange) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) =>
      void navigate({
        to: '.',
        search: (now: SearchChange) => changeSearch(now, change),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

/** A change of anything but the offset leads back to the first page: the rows are others. */
export const changeSearch = (now: SearchChange, change: SearchChange): SearchChange =>
  Object.fromEntries(
    Object.entries({ ...now, offset: undefined, ...change }).filter(
      ([, value]) => value !== undefined && value !== '' && value !== 0,
    ),
  );
