import type { UseQueryResult } from '@tanstack/react-query';
import type { PageOf } from '../api/types.ts';
import { t } from '../text/en.ts';

/** Says how many items of a list are not shown, if it is longer than what was requested. */
export function Listed({ query: { data: page } }: { readonly query: UseQueryResult<PageOf<unknown>> }) {
  if (!page || page.pagination.total <= page.data.length) return null;
  return <p className="muted">{t.common.listed(page.data.length, page.pagination.total)}</p>;
}
