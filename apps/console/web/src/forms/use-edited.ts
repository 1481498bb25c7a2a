import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

interface Edited<T> {
  readonly data: T;
  /** The `key` of the form, which starts over when this changes */
  readonly round: number;
}

/**
 * What a form was opened with. It stays as it is while the form is edited, though the query may read a newer version
 * meanwhile: the `ETag` that is sent must be the one of what the reader saw. `reload` takes the newer one.
 */
export function useEdited<T>(query: UseQueryResult<T>) {
  const [edited, setEdited] = useState<Edited<T>>();
  if (edited === undefined && query.data !== undefined) setEdited({ data: query.data, round: 0 });
  async function reload(): Promise<void> {
    const { data } = await query.refetch();
    if (data !== undefined) setEdited((before) => ({ data, round: (before?.round ?? 0) + 1 }));
  }
  return { edited, reload: () => void reload() };
}
