import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Search parameters to set; `undefined`, an empty text and an offset of 0 remove one. */
export type SearchChange = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns a function that changes search parameters of the page. It replaces the current entry of the
 * browser's history.
 */
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

/** Returns to the first page on any change other than of the offset, because the list has different rows then. */
export const changeSearch = (now: SearchChange, change: SearchChange): SearchChange =>
  Object.fromEntries(
    Object.entries({ ...now, offset: undefined, ...change }).filter(
      ([, value]) => value !== undefined && value !== '' && value !== 0,
    ),
  );
