import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  formActionOf,
  normalizeRedirectUri,
  redirectHostOf,
  redirectTargetOf,
  usableRedirectUris,
} from './redirect-uris.ts';

const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';
const PREFIXES = ['cursor://anysphere.cursor-mcp/oauth/', 'com.example.app:/signed-in'];

it.each([
  ['https://agent.example/callback', 'web'],
  ['https://agent.example/callback?a=b', 'web'],
  ['http://localhost:6274/oauth/callback', 'loopback'],
  ['http://127.0.0.1', 'loopback'],
  ['http://[::1]:1/', 'loopback'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'private_use'],
  ['http://agent.example/callback', undefined],
  ['https://localhost/callback', undefined],
  ['https://127.0.0.1/callback', undefined],
  ['http://127.0.0.1.evil.example/', undefined],
  ['http://127.0.0.2/', undefined],
  ['https://user@agent.example/', undefined],
  ['https://agent.example/#fragment', undefined],
  ['https://agent.example/#', undefined],
  ['https://127.0.0.2/callback', undefined],
  ['https://localhost./callback', undefined],
  ['https://a.localhost/callback', undefined],
  ['https:agent.example', undefined],
  ['https:\\\\agent.example/', undefined],
  ['https://agent.example\\@evil.example/', undefined],
  [' https://agent.example/', undefined],
  ['https://agent.example/\ncallback', undefined],
  ['https://agent.example/\tcallback', undefined],
  ['https://agent.example/ü', undefined],
  ['https://agent;evil.example/', undefined],
  ['https://agent,evil.example/', undefined],
  ['http:localhost', undefined],
  ['http://localhost.evil.example/', undefined],
  ['http://localhost:80@evil.example/', undefined],
  ['cursor:/x', undefined],
  ['cursor://anysphere.cursor-deeplink/mcp/install?name=x', undefined],
  ['cursor://anysphere.cursor-mcp/', undefined],
  ['cursor://anysphere.cursor-mcp/oauth', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/', 'private_use'],
  ['cursor://anysphere.cursor-mcp/oauth/../install', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/a/%2E%2e/%2e./install', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/..%2finstall', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/%252e%252e/install', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/..', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/..%252finstall', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/..%255cinstall', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/%2e%25%32%65/install', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/%25252e%25252e/x', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/..;/install', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/..;a=b/install', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/.%09./x', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/.%2509./x', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/%c0%ae%c0%ae/x', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/a/./x', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/callback/..?a=b', undefined],
  ['cursor://anysphere.cursor-mcp/oauth/callback?a=%20;b', 'private_use'],
  ['cursor://anysphere.cursor-mcp/oauth/v1.2/...x', 'private_use'],
  ['cursor://anysphere.cursor-mcp.evil.example/oauth/callback', undefined],
  ['cursor://anysphere.cursor-mcp:1/oauth/callback', undefined],
  ['cursor://x@anysphere.cursor-mcp/oauth/callback', undefined],
  ['CURSOR://anysphere.cursor-mcp/oauth/callback', undefined],
  ['com.example.app:/signed-in', 'private_use'],
  ['com.example.app:/signed-in?a=b', 'private_use'],
  ['com.example.app:/signed-in/here', 'private_use'],
  ['com.example.app:/signed-inside', undefined],
  ['com.example.app://signed-in', undefined],
  ['cursors://x/y', undefined],
  ['vscode://x/y', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//agent.example/', undefined],
  ['', undefined],
  [`https://agent.example/${'x'.repeat(500)}`, undefined],
])('classifies %s as a redirect URI of kind %s', (uri, expected) => {
  expect(redirectTargetOf(uri, PREFIXES)).toBe(expected);
});

it('keeps the usable redirect URIs of a list, without duplicates', () => {
  const list = ['http://localhost', 'http://localhost/', 'ftp://x/', 'https://a.example/', CURSOR];
  expect(usableRedirectUris(list, PREFIXES)).toEqual(['http://localhost/', 'https://a.example/', CURSOR]);
});

describe('the place to which a response goes', () => {
  it.each([
    ['https://agent.example:8443/callback', 'agent.example:8443', 'https://agent.example:8443'],
    ['http://localhost:1/callback', undefined, 'http://localhost:1'],
    ['cursor://x/y', undefined, 'cursor:'],
  ])('is shown for %s', (uri, host, formAction) => {
    expect([redirectHostOf(uri), formActionOf(uri)]).toEqual([host, formAction]);
  });
});

it('refuses a URI in which a parser finds another host, or a policy another source', () => {
  const part = fc.constantFrom(
    ...[
      'https:',
      'http:',
      'cursor://anysphere.cursor-mcp/oauth/',
      'cursor:',
      '/',
      '//',
      '\\',
      'localhost',
      '127.0.0.1',
      '[::1]',
      'a.example',
      ':1',
    ],
    ...['@', '#', '?', ';', ',', "'", ' ', '\n', '\t', '\0', '%00', '.', 'ü', 'x'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const uri = normalizeRedirectUri(parts.join(''));
      const target = redirectTargetOf(uri, PREFIXES);
      if (target === undefined) return;
      const url = new URL(uri);
      expect({ '\\s': /\s/.test(uri), user: url.username, hash: url.hash }).toEqual({
        '\\s': false,
        user: '',
        hash: '',
      });
      expect(formActionOf(uri)).toMatch(/^(https?:\/\/[a-z0-9.:[\]-]+|cursor:)$/);
      if (target === 'loopback') expect(['localhost', '127.0.0.1', '[::1]']).toContain(url.hostname);
      if (target === 'web') expect(redirectHostOf(uri)).toBe(url.host);
    }),
    { numRuns: 20_000 },
  );
});
