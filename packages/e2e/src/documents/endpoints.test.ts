import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** Compares the pages that list endpoints with the OpenAPI documents of the services. */

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** An endpoint as a page names it; without a method it stands for a resource, or for a collection and its items. */
interface Mention {
  readonly method: string | undefined;
  readonly path: string;
}

const API = '/api/v1';
/** Where a page about the API must name the whole path; OpenAPI describes `/api/v1` only. */
const OUTSIDE = /^\/(?:api|internal|errors)\b/;
const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE)$/;
const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** Placeholders have longer names in the documents, and a query is described elsewhere. */
const plain = (path: string): string => path.replace(/\?.*/, '').replace(/\{\w+\}/g, '{}');

function operationsOf(service: string): Operation[] {
  const { paths } = JSON.parse(read(`packages/contract/documents/${service}.json`)) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .map((key) => key.toUpperCase())
      .filter((method) => METHOD.test(method))
      .map((method) => ({ method, path: plain(API + path) })),
  );
}

/**
 * Returns the endpoints that a page names. Within a cell or a paragraph, a method is that of the next path and of those
 * after it without one of their own, and a path of one segment may replace the last segment of the path before it.
 * @param options.omitsApi `/sites` on this page is `/api/v1/sites`.
 */
function mentionsOf(
  page: string,
  operations: readonly Operation[],
  options: { omitsApi: boolean },
): Mention[] {
  const paths = new Set(operations.map(({ path }) => path));
  const resolve = (path: string, before: string): string => {
    if (!options.omitsApi || OUTSIDE.test(path)) return path;
    const isSibling = /^\/[^/]+$/.test(path) && !paths.has(API + path) && before !== '';
    return isSibling ? before.replace(/\/[^/]*$/, path) : API + path;
  };
  return page
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/\||\n\n|;/)
    .flatMap((part) => {
      let [methods, isUsed, before]: [string[], boolean, string] = [[], false, ''];
      return [...part.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) => {
        const words = span.split(' ');
        const [first = ''] = words;
        if (METHOD.test(first)) {
          methods = isUsed ? [first] : [...methods, first];
          isUsed = false;
          words.shift();
        }
        const [path = ''] = words;
        if (!/^…?\/[a-z{.]/.test(path)) return [];
        isUsed = true;
        before = path.startsWith('…') ? plain(path) : resolve(plain(path), before);
        return (methods.length > 0 ? methods : [undefined]).map((method) => ({ method, path: before }));
      });
    });
}

const names = (mention: Mention, { method, path }: Operation): boolean => {
  const isMethod = mention.method === undefined || mention.method === method;
  if (mention.path.startsWith('…')) return isMethod && path.endsWith(mention.path.slice(1));
  const isItem = mention.method === undefined && path === `${mention.path}/{}`;
  return isMethod && (path === mention.path || isItem);
};

describe.each([
  { page: 'docs/management-api/endpoints.md', service: 'management-api', omitsApi: true },
  { page: 'docs/reference/hub/rest.md', service: 'tool-hub', omitsApi: false },
])('$page', ({ page, service, omitsApi }) => {
  const operations = operationsOf(service);
  const mentions = mentionsOf(read(page), operations, { omitsApi });
  const written = ({ method, path }: Mention): string => `${method ?? ''} ${path}`.trim();

  it('names every operation of the OpenAPI document', () => {
    const missing = operations.filter((operation) => !mentions.some((mention) => names(mention, operation)));
    expect(missing.map(written)).toEqual([]);
  });

  it('names no endpoint that does not exist', () => {
    const isDescribed = ({ path }: Mention): boolean =>
      path.startsWith(`${API}/`) || (omitsApi && path.startsWith('…'));
    const unknown = mentions
      .filter(isDescribed)
      .filter((mention) => !operations.some((operation) => names(mention, operation)));
    expect(unknown.map(written)).toEqual([]);
  });
});
