import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, isWithin, parseConnectTo, parseOutboundAllow } from './outbound-rules.ts';

describe('an address that is not public is refused', () => {
  it.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback', '::1'],
    ['private', '10.1.2.3'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['private', 'fd00::1'],
    ['shared', '100.64.0.1'],
    ['cloud metadata', '169.254.169.254'],
    ['link-local', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['documentation', '203.0.113.9'],
    ['reserved', '240.0.0.1'],
    ['IPv4 mapped into IPv6', '::ffff:127.0.0.1'],
    ['IPv4 mapped into IPv6', '::ffff:a9fe:a9fe'],
    ['IPv4 in the compatible form', '::7f00:1'],
    ['IPv4 translated', '64:ff9b::7f00:1'],
    ['IPv4 translated', '::ffff:0:127.0.0.1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['not assigned', '4000::1'],
  ])('%s: %s', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

it.each(['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it('allows the configured blocks of IPv4 and IPv6 addresses', () => {
  const blocks = parseOutboundAllow(['loopback', '10.1.0.0/16', 'fd00::/8']);
  for (const address of ['127.9.9.9', '::1', '::ffff:127.0.0.1', '10.1.255.255', 'fd12::1']) {
    expect([address, isWithin(address, blocks)]).toEqual([address, true]);
  }
  for (const address of ['10.2.0.1', '::2', '192.168.0.1', 'fe80::1']) {
    expect([address, isWithin(address, blocks)]).toEqual([address, false]);
  }
  expect(isWithin('127.0.0.1', [])).toBe(false);
});

it.each(['localhost', '10.0.0.1', '10.0.0.0/33', '', '::/200', 'loopback '])(
  'refuses the block %j',
  (entry) => {
    expect(() => parseOutboundAllow([entry])).toThrow('CIDR');
  },
);

it('parses pairs of public and internal host and port', () => {
  const pairs = ['idp.example:443=mock-idp:4002', 'LOCALHOST:4003=127.0.0.1:80', '[::1]:1=[::2]:2'];
  expect([...parseConnectTo(pairs)]).toEqual([
    ['idp.example:443', { hostname: 'mock-idp', port: '4002' }],
    ['localhost:4003', { hostname: '127.0.0.1', port: '80' }],
    ['::1:1', { hostname: '::2', port: '2' }],
  ]);
});

it.each(['a:1', 'a=b', 'a:1=b', 'a:1=b:x', 'a:1=b:2=c:3', 'https://a:1=b:2', 'u@a:1=b:2', 'a:1=b:123456'])(
  'refuses the pair %j',
  (pair) => {
    expect(() => parseConnectTo([pair])).toThrow('host:port=host:port');
  },
);
