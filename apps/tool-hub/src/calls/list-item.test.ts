import { expect, it } from '@jest/globals';
import { membersOf } from '@legate/mcp-client';
import { toListItem } from './list-item.ts';

const SCHEMA = { type: 'object', properties: { a: { default: null, enum: [null, 1] } }, title: null };

it.each<[unknown, object]>([
  [{ name: 'a', title: null, description: null }, { name: 'a' }],
  [
    { name: 'a', annotations: { title: null, readOnlyHint: true }, execution: { taskSupport: null } },
    { name: 'a', annotations: { readOnlyHint: true }, execution: {} },
  ],
  [
    { name: 'a', icons: [{ src: 'x', sizes: null }, null, 'b'] },
    { name: 'a', icons: [{ src: 'x' }] },
  ],
  [
    { name: 'a', inputSchema: SCHEMA, outputSchema: SCHEMA, _meta: { key: null } },
    { name: 'a', inputSchema: SCHEMA, outputSchema: SCHEMA, _meta: { key: null } },
  ],
  [{ name: 'a', outputSchema: null }, { name: 'a' }],
  [
    { name: 'a', annotations: [], _meta: [], execution: [], inputSchema: [] },
    { name: 'a', annotations: {}, _meta: {}, execution: {}, inputSchema: { type: 'object' } },
  ],
  [
    { name: 'a', inputSchema: { type: 'object', properties: [], required: [] } },
    { name: 'a', inputSchema: { type: 'object', properties: {}, required: [] } },
  ],
  [
    { name: 'a', inputSchema: {} },
    { name: 'a', inputSchema: { type: 'object' } },
  ],
  [null, {}],
  ['a tool', {}],
  [[], {}],
])('turns %j into %j', (item, expected) => {
  const before = JSON.stringify(item);
  const { value, json } = toListItem(item, JSON.stringify(item, null, 1));
  expect([value, JSON.parse(json)]).toEqual([expected, expected]);
  expect(JSON.stringify(item)).toBe(before);
});

it('keeps the text of everything that it does not change', () => {
  const schema = '{"type":"object","properties":{"a":{"maximum": 1e2,"default":725653563933458433}}}';
  const json = `{ "name":"a","title":null,"inputSchema":${schema},"annotations":{"title":null,"x": 1.0},"icons":[{"n":-0, "m":[ ]},null]}`;
  expect([...membersOf(toListItem(JSON.parse(json), json).json)]).toEqual([
    ['name', '"a"'],
    ['inputSchema', schema],
    ['annotations', '{"x":1.0}'],
    ['icons', '[{"n":-0,"m":[ ]}]'],
  ]);
});

it.each([
  ['itself', '{"name":"safe","name":"evil"}'],
  ['its schema', '{"name":"a","inputSchema":{"type":"object","properties":{},"properties":{"b":{}}}}'],
])('drops an item that has two members with the same name in %s', (_where, json) => {
  expect(toListItem(JSON.parse(json), json)).toEqual({ value: {}, json: '{}' });
});
