import { expect, it } from '@jest/globals';
import { createResourceUrlCheck } from './resource-url.ts';

const inProduction = createResourceUrlCheck([]);
const onAMachine = createResourceUrlCheck(['loopback']);

it.each([
  'https://mcp.acme.com',
  'https://mcp.acme.com/',
  'https://mcp.acme.com:8443/billing?tenant=a',
  'https://8.8.8.8/mcp',
  'https://[2606:4700::1111]/',
])('accepts %s', (url) => {
  expect(inProduction(url)).toBeUndefined();
});

it.each([
  ['another scheme', 'ftp://mcp.acme.com'],
  ['no scheme', 'mcp.acme.com'],
  ['no slashes, which URL adds', 'https:mcp.acme.com'],
  ['too many of them', 'https:///mcp.acme.com'],
  ['a fragment', 'https://mcp.acme.com/#a'],
  ['an empty fragment', 'https://mcp.acme.com#'],
  ['a user', 'https://user@mcp.acme.com'],
  ['a user that looks like a host', 'https://mcp.acme.com:443@169.254.169.254/'],
  ['a backslash', 'https://mcp.acme.com\\@evil.example'],
  ['a tab, which URL drops', 'https://mcp.ac\tme.com'],
  ['a space', 'https://mcp.acme.com/a b'],
  ['a character with two spellings', 'https://bücher.example'],
  ['a port that is none', 'https://mcp.acme.com:99999'],
  ['2049 characters', `https://mcp.acme.com/${'a'.repeat(2028)}`],
])('refuses a URL with %s', (_case, url) => {
  expect(inProduction(url)).toBe('invalid_format');
});

it.each([
  'http://mcp.acme.com',
  'http://localhost:4003',
  'https://localhost',
  'https://localhost./',
  'https://a.LOCALHOST',
  'https://127.0.0.1',
  'https://0x7f.1',
  'https://2130706433',
  'https://10.0.0.1',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]',
  'https://[::ffff:169.254.169.254]',
  'https://[fd00::1]',
])('forbids %s', (url) => {
  expect(inProduction(url)).toBe('resource_url_forbidden');
});

it('accepts http only on loopback, and only if the operator allows loopback', () => {
  for (const url of [
    'http://localhost:4003',
    'http://127.0.0.1',
    'http://[::1]:1/mcp',
    'https://localhost',
  ]) {
    expect([url, onAMachine(url)]).toEqual([url, undefined]);
  }
  for (const url of ['http://mcp.acme.com', 'http://10.0.0.1', 'https://10.0.0.1', 'http://8.8.8.8']) {
    expect([url, onAMachine(url)]).toEqual([url, 'resource_url_forbidden']);
  }
  const inANetwork = createResourceUrlCheck(['10.0.0.0/8']);
  expect(inANetwork('https://10.0.0.1')).toBeUndefined();
  expect(inANetwork('http://10.0.0.1')).toBe('resource_url_forbidden');
});
