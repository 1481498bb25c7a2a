import { expect, it } from '@jest/globals';
import { isAllowedAddress } from './allowed-address.ts';

it.each([
  ['192.0.2.7', ['192.0.2.0/24'], true],
  ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
  ['192.0.3.7', ['192.0.2.0/24'], false],
  ['192.0.3.7', ['192.0.2.0/24', '192.0.3.7/32'], true],
  ['2001:db8::7', ['2001:db8::/32'], true],
  ['2001:db9::7', ['2001:db8::/32'], false],
  ['2001:db8::7', ['0.0.0.0/0'], false],
  ['192.0.2.7', [], true],
  [undefined, [], true],
])('returns, for %s in %j, %s', (address, blocks, isAllowed) => {
  expect(isAllowedAddress(address, blocks)).toBe(isAllowed);
});

it.each([undefined, '', 'unix:', 'proxy.example'])('refuses %j, which is not an address', (address) => {
  expect(isAllowedAddress(address, ['0.0.0.0/0', '::/0'])).toBe(false);
});
