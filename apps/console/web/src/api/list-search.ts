/** The search parameters of a page with a table; parameters that are not set are absent. */
export type ListSearch<Own extends string = never> = {
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly offset?: number | undefined;
} & { readonly [name in Own]?: string | undefined };

const MAX_TEXT = 100;

/**
 * Returns a function that reads the search parameters of a table, for `validateSearch` of its route. `own`
 * names the page's further parameters, such as its filters and its tab. All others are ignored.
 */
export function listSearch<Own extends string = never>(...own: readonly Own[]) {
  return (raw: Readonly<Record<string, unknown>>): ListSearch<Own> => {
    const texts = ['search', 'sort', ...own].flatMap((name) => {
      const value = raw[name];
      return typeof value === 'string' || typeof value === 'number'
        ? [[name, String(value).slice(0, MAX_TEXT)]]
        : [];
    });
    const offset = Number(raw.offset);
    return {
      ...Object.fromEntries(texts.filter(([, value]) => value !== '')),
      ...(Number.isInteger(offset) && offset > 0 && { offset }),
    };
  };
}
