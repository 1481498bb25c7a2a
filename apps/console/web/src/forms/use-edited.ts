import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

interface Edited<T> {
  readonly data: T;
  /** The `key` of the form: when it changes, the form starts over */
  readonly round: number;
}

/**
 * The value with which a form was opened. It does not change while the form is edited, even if the query
 * reads a newer version: the `ETag` that is sent must belong to the version that the reader saw. `reload`
 * takes the newer version, and `take` the one that the reader has saved.
 */
export function useEdited<T>(query: UseQueryResult<T>) {
  const [edited, setEdited] = useState<Edited<T>>();
  if (edited === undefined && query.data !== undefined) setEdited({ data: query.data, round: 0 });
  const take = (data: T) => setEdited((before) => ({ data, round: (before?.round ?? 0) + 1 }));
  async function reload(): Promise<void> {
    const { data } = await query.refetch();
    if (data !== undefined) take(data);
  }
  return { edited, take, reload: () => void reload() };
}
