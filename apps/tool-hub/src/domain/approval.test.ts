import { expect, it } from '@jest/globals';
import type { Approval } from '@legate/management-contract';
import { approvalOf, saysReadOnly } from './approval.ts';

const READING = { annotations: { readOnlyHint: true } };
const WRITING = { annotations: { readOnlyHint: false } };

it.each<[Approval | undefined, object, string | undefined]>([
  ['always', READING, 'required'],
  ['always', WRITING, 'required'],
  ['write', READING, 'not-required'],
  ['write', { annotations: { readOnlyHint: true, destructiveHint: true } }, 'not-required'],
  ['write', WRITING, 'required'],
  ['write', {}, 'required'],
  ['write', { annotations: {} }, 'required'],
  ['write', { annotations: { destructiveHint: false } }, 'required'],
  ['write', { annotations: { readOnlyHint: 'true' } }, 'required'],
  ['write', { annotations: { readOnlyHint: 1 } }, 'required'],
  ['write', { annotations: null }, 'required'],
  ['write', { annotations: [true] }, 'required'],
  ['write', { readOnlyHint: true }, 'required'],
  ['never', WRITING, 'not-required'],
  [undefined, WRITING, undefined],
])('with %s, a tool that declares %j has %s', (approval, tool, expected) => {
  const binding = { tools: undefined, scopesKey: undefined, approval };
  expect(approvalOf({ binding }, { isReadOnly: saysReadOnly({ ...tool }) })).toBe(expected);
});

it('returns no approval without an agent', () => {
  expect(approvalOf({}, { isReadOnly: false })).toBeUndefined();
});
