import { expect, it } from '@jest/globals';
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
  [null, {}],
  ['a tool', {}],
  [[], {}],
])('%j becomes %j', (item, expected) => {
  const before = JSON.stringify(item);
  expect(toListItem(item)).toEqual(expected);
  expect(JSON.stringify(item)).toBe(before);
});
