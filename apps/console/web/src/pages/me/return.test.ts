import { expect, it } from '@jest/globals';
import { readReturn } from './return.ts';

it.each([
  [true, { connected: 'yes' }],
  [false, { connected: 'no' }],
  ['yes', { connected: 'yes' }],
  ['no', { connected: 'no' }],
  ['<b>', {}],
  [undefined, {}],
] as const)('reads connected=%j as %j', (connected, read) => {
  expect(readReturn({ connected, connector_id: 'con_1' })).toEqual(read);
});
