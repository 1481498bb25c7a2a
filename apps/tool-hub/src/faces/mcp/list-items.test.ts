import { expect, it } from '@jest/globals';
import type { ListKind } from '@legate/mcp-client';
import { toListItem } from '../../calls/list-item.ts';
import { toItemTexts, writeItem } from './list-items.ts';

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
])('keeps no text of %s with an invalid name, because its size would not be counted', (kind, member) => {
  const huge = ['x'.repeat(100)];
  for (const name of [huge, { huge }, 7, null, undefined])
    expect(textsOf(kind, { [member]: name })).toEqual([
      expect.objectContaining({ name: undefined, rest: undefined }),
    ]);
});

it.each(['{}', '{ }', '{\n}', '{"a": 1}', '{ "a": 1 }'])(
  'adds the members of the hub to the `_meta` %j',
  (meta) => {
    const json = `{"name":"echo","inputSchema":{"type":"object"},"_meta":${meta}}`;
    const items = [toListItem(JSON.parse(json), json)];
    const [item] = toItemTexts('tools', { items, refused: new Set(), actsAs: 'user' }, (uri) => uri);
    const written = writeItem('tools', 'con_echo', item?.rest?.modern ?? '', {
      approval: 'required',
      origin: undefined,
    });
    expect(JSON.parse(written)).toMatchObject({
      name: 'con_echo',
      _meta: { 'legate/approval': 'required', ...JSON.parse(meta) },
    });
  },
);
