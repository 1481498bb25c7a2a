import { expect, it } from '@jest/globals';
import type { ListKind } from '@legate/mcp-client';
import { toListItem } from '../../calls/list-item.ts';
import { toItemTexts } from './list-items.ts';

const textsOf = (kind: ListKind, ...items: Record<string, unknown>[]) =>
  toItemTexts(
    kind,
    {
      items: items.map((item) => toListItem(item, JSON.stringify(item))),
      refused: new Set(),
      actsAs: 'user',
    },
    (uri) => `all:${uri}`,
  );

it.each<[ListKind, string]>([
  ['tools', 'name'],
  ['prompts', 'name'],
  ['resources', 'uri'],
  ['resourceTemplates', 'uriTemplate'],
])('keeps nothing of %s with an invalid name, which would not be counted', (kind, member) => {
  const huge = ['x'.repeat(100)];
  for (const name of [huge, { huge }, 7, null, undefined])
    expect(textsOf(kind, { [member]: name })).toEqual([
      expect.objectContaining({ name: undefined, rest: undefined }),
    ]);
});
