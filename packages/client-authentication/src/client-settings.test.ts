import { expect, it } from '@jest/globals';
import { type ClientAuthMethod, clientSettingFaults } from './client-settings.ts';

it.each<[string, ('secret' | 'keys')[], string[]]>([
  ['neither a secret nor keys', [], ['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS']],
  ['both', ['secret', 'keys'], ['IDP_CLIENT_SECRET, IDP_CLIENT_KEYS: one of them, and not both']],
  ['a secret', ['secret'], []],
  ['keys', ['keys'], []],
])('checks the settings of a client with %s', (_case, set, faults) => {
  expect(clientSettingFaults('IDP_CLIENT', ['secret', 'keys'], (name) => set.includes(name))).toEqual(faults);
});

it.each<[string, ('secret' | 'keys' | 'certificate')[], ClientAuthMethod | undefined, string[]]>([
  ['nothing', [], undefined, ['IDP_CLIENT_SECRET: required, or IDP_CLIENT_KEYS or IDP_CLIENT_CERTIFICATE']],
  [
    'keys and a certificate',
    ['keys', 'certificate'],
    undefined,
    ['IDP_CLIENT_KEYS, IDP_CLIENT_CERTIFICATE: one of them, and not both'],
  ],
  [
    'everything',
    ['secret', 'keys', 'certificate'],
    undefined,
    ['IDP_CLIENT_SECRET, IDP_CLIENT_KEYS, IDP_CLIENT_CERTIFICATE: one of them, and not all'],
  ],
  ['a certificate', ['certificate'], undefined, []],
  ['a certificate, and its method', ['certificate'], 'self_signed_tls_client_auth', []],
  ['keys, and their method', ['keys'], 'private_key_jwt', []],
  [
    'keys, and the method of a certificate',
    ['keys'],
    'tls_client_auth',
    ['METHOD, IDP_CLIENT_KEYS: tls_client_auth needs IDP_CLIENT_CERTIFICATE instead'],
  ],
  [
    'a certificate, and the method of a secret',
    ['certificate'],
    'client_secret_post',
    ['METHOD, IDP_CLIENT_CERTIFICATE: client_secret_post needs IDP_CLIENT_SECRET instead'],
  ],
])('checks the settings of a client that may have a certificate with %s', (_case, set, value, faults) => {
  const materials = ['secret', 'keys', 'certificate'] as const;
  const isSet = (name: (typeof materials)[number]) => set.includes(name);
  const method = { name: 'METHOD', value };
  expect(clientSettingFaults('IDP_CLIENT', materials, isSet, method)).toEqual(faults);
});
