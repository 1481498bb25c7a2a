import { expect, it } from '@jest/globals';
import { formActionSources } from './form-action.ts';

it.each<[string, string | undefined, string[], string[]]>([
  ['nowhere but here without a client', undefined, [], []],
  ['the origin of the redirect URI', 'https://app.example/callback?x=1', [], ['https://app.example']],
  ['the very port of a loopback redirect', 'http://127.0.0.1:5173/callback', [], ['http://127.0.0.1:5173']],
  ['any http for IPv6, which a host source cannot name', 'http://[::1]:5173/callback', [], ['http:']],
  ['the scheme of an app', 'com.example.app:/callback', [], ['com.example.app:']],
  [
    'and where the client sends the browser on',
    'https://app.example/callback',
    ['https://customer.example', 'http://localhost:*'],
    ['https://app.example', 'https://customer.example', 'http://localhost:*'],
  ],
  ['never what could end the directive', 'not a url; script-src *', ['x; script-src *'], []],
  ['nor what is a URL all the same', 'https://a;sandbox/', ['https://a,b.example'], []],
])('allows %s', (_case, redirectUri, redirectOrigins, expected) => {
  expect(formActionSources(redirectUri, redirectOrigins)).toEqual(["'self'", ...expected]);
});
