import { expect, it } from '@jest/globals';
import { findDocument, isSameResource, readProtectedResource } from './protected-resource.ts';

type Status = number | 'page' | undefined;
it.each<[string, [Status, Status], number | 'none' | 'unanswered']>([
  ['the first document', [200, 200], 0],
  ['the document behind an absent one', [404, 200], 1],
  ['the document behind one that is gone', [410, 200], 1],
  ['the document behind a closed place', [403, 200], 1],
  ['a closed place, if the document is nowhere', [401, 404], 0],
  ['the first of two closed places', [401, 403], 0],
  ['a closed place behind an absent document', [404, 401], 1],
  ['the document behind a page', ['page', 200], 1],
  ['a page, if the document is nowhere', ['page', 404], 0],
  ['an outage behind a page', ['page', 503], 1],
  ['an outage, and asks no further', [503, 200], 0],
  ['a limit, and asks no further', [429, 200], 0],
  ['a failed request, and asks no further', [undefined, 200], 0],
  ['an outage behind a closed place', [403, 500], 1],
  ['none, if the document is nowhere', [404, 410], 'none'],
])('finds %s', async (_case, statuses, expected) => {
  const asked: number[] = [];
  const found = await findDocument(
    ['0', '1'],
    async (url) => {
      asked.push(Number(url));
      return { index: Number(url), status: statuses[Number(url)] };
    },
    ({ status }) => status,
  );
  expect(found?.index ?? 'none').toBe(expected);
  const endsSearch = ([200, 429, 500, 503, undefined] as Status[]).includes(statuses[0]);
  expect(asked).toEqual(endsSearch ? [0] : [0, 1]);
});

it.each([
  [{ resource: 'https://tools.example' }, 'read'],
  [{ resource: 'https://tools.example/' }, 'read'],
  [{ resource: 'https://tools.example/mcp' }, 'another_resource'],
  [{ resource: 'https://other.example' }, 'another_resource'],
  [{}, 'malformed'],
  [{ resource: 'https://tools.example', authorization_servers: 'https://as.example' }, 'malformed'],
  ['text', 'malformed'],
  [undefined, 'malformed'],
])('reads %j as metadata of https://tools.example: %s', (document, kind) => {
  expect(readProtectedResource(document, 'https://tools.example').kind).toBe(kind);
});

it.each([
  ['https://tools.example', 'https://tools.example', true],
  ['https://tools.example', 'https://tools.example/', true],
  ['https://tools.example:8443', 'https://tools.example:8443/', true],
  ['https://tools.example', 'https://tools.example//', false],
  ['https://tools.example', 'https://tools.example/mcp', false],
  ['https://tools.example', 'https://TOOLS.example', false],
  ['https://tools.example/', 'https://tools.example', false],
  ['https://tools.example/', 'https://tools.example//', false],
  ['https://tools.example', 'https://tools.example.evil.example', false],
  ['https://tools.example', 'https://tools.example:443', false],
  ['https://tools.example/mcp', 'https://tools.example/mcp', true],
  ['https://tools.example/mcp', 'https://tools.example/mcp/', false],
  ['https://tools.example?a', 'https://tools.example?a/', false],
])('reports, for the configured %s, whether %s is the same resource: %s', (configured, presented, same) => {
  expect(isSameResource({ presented, configured })).toBe(same);
});
