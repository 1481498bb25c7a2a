import { expect, it } from '@jest/globals';
import { identified } from './findings.ts';
import { missingOfAny } from './missing.ts';

const values = {
  name: 'Notes',
  resource_url: 'https://notes.example/mcp',
  auth_method: 'id-jag',
  fallback: [],
  acknowledge_legacy: false,
  exchange_audience: '',
  token_audience: '',
  acknowledge_shared_audience: false,
} as const;

it.each([
  ['nothing else', {}, []],
  ['a name', { name: ' ' }, ['name']],
  ['an address', { resource_url: '' }, ['resource_url']],
  ['an acknowledgement of passthrough', { auth_method: 'passthrough' }, ['acknowledge_legacy']],
  ['one of passthrough as a fallback', { fallback: ['passthrough'] }, ['acknowledge_legacy']],
  [
    'an audience and an acknowledgement of token exchange',
    { auth_method: 'token-exchange' },
    ['exchange_audience', 'acknowledge_shared_audience'],
  ],
  [
    'none for an audience that is the address',
    { fallback: ['token-exchange'], exchange_audience: 'https://notes.example/mcp' },
    [],
  ],
  ['none twice', { fallback: ['passthrough'], acknowledge_legacy: true }, []],
] as const)('asks for %s', (_case, edited, missing) => {
  expect(Object.keys(missingOfAny({ ...values, ...edited }))).toEqual(missing);
});

it('compares the audience with the identifier of the tool server, not with the address that was typed', () => {
  const checks = [
    {
      check: 'resource_identifier',
      status: 'ok',
      evidence: {
        resource: 'https://notes.example',
        expected: [values.resource_url, 'https://notes.example'],
      },
    },
  ] as const;
  const missing = (exchange_audience: string) =>
    Object.keys(
      missingOfAny(identified({ ...values, auth_method: 'token-exchange', exchange_audience }, [...checks])),
    );
  expect(missing('https://notes.example')).toEqual([]);
  expect(missing(values.resource_url)).toEqual(['acknowledge_shared_audience']);
});
