import { expect, it } from '@jest/globals';
import { clientSettingFaults } from './client-settings.ts';

it.each<[string, ('secret' | 'keys')[], string[]]>([
  ['neither a secret nor keys', [], ['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS']],
  ['both', ['secret', 'keys'], ['IDP_CLIENT_SECRET, IDP_CLIENT_KEYS: one of them, and not both']],
  ['a secret', ['secret'], []],
  ['keys', ['keys'], []],
])('checks the settings of a client with %s', (_case, set, faults) => {
  expect(clientSettingFaults('IDP_CLIENT', (name) => set.includes(name))).toEqual(faults);
});
