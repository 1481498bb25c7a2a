import { expect, it } from '@jest/globals';
import { ConnectorsDocument } from '../connectors/connectors-document.ts';
import type { Caller } from '../domain/caller.ts';
import { toListItem } from './list-item.ts';
import type { ListOf } from './list-pages.ts';
import { createListTools } from './list-tools.ts';

const [connector] = ConnectorsDocument.parse({
  connectors: [
    {
      ...{ id: 'con_1', organization_ids: ['org_acme'], name: 'Notes', resource: 'https://tools.example' },
      ...{ auth_method: 'id-jag', client_id: 'hub', client_secret: 'secret' },
    },
  ],
}).connectors;

/** Lists tools for an application, from a tool server that returns these items. */
async function listed(...items: readonly Record<string, unknown>[]) {
  if (!connector) throw new Error('is there no connector?');
  const own = items.map((item) => toListItem(item, JSON.stringify(item)));
  const listOf: ListOf = async () => ({ items: own, isCut: false, actsAs: 'user' });
  const caller = {} as Caller; // only passed on
  const { tools } = await createListTools(listOf)(caller, { ...connector, slug: 'notes' }, 0);
  return tools.map(({ name, json }) => [name, JSON.parse(json).mcp_name]);
}

it('gives each tool its name at /mcp', async () => {
  expect(await listed({ name: 'list' }, { name: 'create.note' })).toEqual([
    ['list', 'notes_list'],
    ['create.note', expect.stringMatching(/^notes_create_note--[a-z2-7]{8}$/)],
  ]);
});

it('omits tools without a name', async () => {
  expect(await listed({ name: 'list' }, {}, { name: 7 }, { name: '' })).toEqual([['list', 'notes_list']]);
});

it.each([
  ['a name that nobody can call', [{ name: 'a\nb' }], [['a\nb', undefined]]],
  [
    'the second tool of one name',
    [{ name: 'list' }, { name: 'list' }],
    [
      ['list', 'notes_list'],
      ['list', undefined],
    ],
  ],
  ["a tool server's own idea of it", [{ name: 'a\nb', mcp_name: 'bank_pay' }], [['a\nb', undefined]]],
])('adds no mcp_name for %s', async (_case, items, expected) => {
  expect(await listed(...items)).toEqual(expected);
});
