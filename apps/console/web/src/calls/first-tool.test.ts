import { expect, it } from '@jest/globals';
import type { Tool } from '../api/types.ts';
import { firstTool } from './first-tool.ts';

const tool = (name: string, readOnlyHint: boolean, required?: string[]): Tool => ({
  name,
  inputSchema: { type: 'object', ...(required && { required }) },
  annotations: { readOnlyHint },
});
const WRITE = tool('write', false);
const READ_ONE = tool('read_one', true, ['id']);
const READ_ALL = tool('read_all', true, []);

it.each([
  ['a read-only tool without required arguments', [WRITE, READ_ONE, READ_ALL], 'read_all'],
  ['a read-only tool', [WRITE, READ_ONE], 'read_one'],
  ['the first tool', [WRITE, tool('delete', false)], 'write'],
])('prefers %s', (_case, tools, name) => {
  expect(firstTool(tools)?.name).toBe(name);
});

it('finds none in an empty list', () => {
  expect(firstTool([])).toBeUndefined();
});
