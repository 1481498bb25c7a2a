import type { ManagementClient, Problem } from './management-client.ts';
import type { paths } from './schema.generated.ts';

interface List {
  readonly data: readonly unknown[];
  readonly pagination: { readonly has_more: boolean; readonly offset: number; readonly limit: number };
}

type Operation<Path extends keyof paths> = paths[Path] extends { get: infer Get } ? Get : never;
type Body<Of> = Of extends { responses: { 200: { content: { 'application/json': infer Json } } } }
  ? Json
  : never;

/** A path whose `GET` returns a page of a list */
export type ListPath = {
  [Path in keyof paths]: Body<Operation<Path>> extends infer Json
    ? [Json] extends [never]
      ? never
      : Json extends List
        ? Path
        : never
    : never;
}[keyof paths];

type Parameters<Path extends ListPath> = Operation<Path> extends { parameters: infer Of } ? Of : never;

/** Query and path parameters of a list */
export type PagesOptions<Path extends ListPath> = Pick<
  Parameters<Path>,
  keyof Parameters<Path> & ('query' | 'path')
> & {
  readonly signal?: AbortSignal;
};

/** One page, or the error that ends the list */
export type PageOf<Path extends ListPath> =
  | { readonly data: Body<Operation<Path>>; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: Problem; readonly response: Response };

type Optional<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

/**
 * Reads a list page by page.
 * @example for await (const { data, error } of pages(client, '/sites')) …
 */
export async function* pages<Path extends ListPath>(
  client: ManagementClient,
  path: Path,
  ...[options]: Optional<PagesOptions<Path>>
): AsyncGenerator<PageOf<Path>, void, undefined> {
  const { signal, query, ...params } = (options ?? {}) as { signal?: AbortSignal; query?: object };
  // The types of a single path do not fit all paths. The signature of this function checks arguments and results.
  const get = client.GET as unknown as (path: string, init: object) => Promise<PageOf<Path>>;
  let next: object | undefined = { ...query };
  while (next) {
    const page: PageOf<Path> = await get(path, {
      params: { ...params, query: next },
      ...(signal && { signal }),
    });
    yield page;
    next = page.data && nextQuery(page.data as unknown as List, page.response, next);
  }
}

/**
 * Returns the query of the next page: from the link of the response if there is one, which contains a cursor for a
 * growing list, otherwise by the offset.
 */
function nextQuery({ data, pagination }: List, { headers }: Response, query: object): object | undefined {
  if (!pagination.has_more || data.length === 0) return undefined;
  const [, link] = /<[^>]*\?([^>]*)>;\s*rel="?next/.exec(headers.get('Link') ?? '') ?? [];
  if (link === undefined) return { ...query, offset: pagination.offset + pagination.limit };
  const linked = new URLSearchParams(link);
  return Object.fromEntries(
    [...new Set(linked.keys())].map((name) => {
      const values = linked.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}
