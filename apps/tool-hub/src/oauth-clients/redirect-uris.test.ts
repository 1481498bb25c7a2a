import { describe, expect, it } from '@jest/globals';
import { formActionOf, redirectHostOf, redirectTargetOf, usableRedirectUris } from './redirect-uris.ts';

const SCHEMES = ['cursor'];

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
  ['vscode://x/y', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//agent.example/', undefined],
  ['', undefined],
  [`https://agent.example/${'x'.repeat(500)}`, undefined],
])('takes %s for a redirect URI of kind %s', (uri, expected) => {
  expect(redirectTargetOf(uri, SCHEMES)).toBe(expected);
});

it('keeps those of a list that can be used, each once', () => {
  const list = ['http://localhost', 'http://localhost/', 'ftp://x/', 'https://a.example/', 'cursor://x/y'];
  expect(usableRedirectUris(list, SCHEMES)).toEqual([
    'http://localhost/',
    'https://a.example/',
    'cursor://x/y',
  ]);
});

describe('where an answer goes', () => {
  it.each([
    ['https://agent.example:8443/callback', 'agent.example:8443', 'https://agent.example:8443'],
    ['http://localhost:1/callback', undefined, 'http://localhost:1'],
    ['cursor://x/y', undefined, 'cursor:'],
  ])('is told of %s', (uri, host, formAction) => {
    expect([redirectHostOf(uri), formActionOf(uri)]).toEqual([host, formAction]);
  });
});
