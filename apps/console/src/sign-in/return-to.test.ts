import { expect, it } from '@jest/globals';
import { returnPath } from './return-to.ts';

const CONSOLE = 'https://console.example';

it.each(['/', '/audit?outcome=refused&page=2', '/connectors/con_1#tools', '/a//b'])(
  'returns to %s',
  (path) => {
    expect(returnPath(path, CONSOLE)).toBe(path);
  },
);

it.each([
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/\r/evil.example',
  '/\t/evil.example',
  '/audit\r\nSet-Cookie: a=b',
  '/.//evil.example',
  '/a/..//evil.example',
  'audit',
  '',
  '/bff/sign-in',
  '/BFF/callback',
  '/x/../bff/sign-in',
  ['/a', '/b'],
  undefined,
])('returns to the start page if the requested path is %j', (asked) => {
  expect(returnPath(asked, CONSOLE)).toBe('/');
});

it('returns to the start page if a cookie cannot hold the requested path', () => {
  expect(returnPath(`/audit?search=${'é'.repeat(400)}`, CONSOLE)).toBe('/');
});
