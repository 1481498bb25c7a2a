import { describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { containsSecret } from './secret-echo.ts';

const KEY = 'sk+live/0123456789?abcdefghij>KLMNOP';
const credential = { kind: 'api_key', method: 'service', header: 'x-api-key', key: KEY, value: KEY } as const;
const escaped = (text: string) =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const base64 = (before: string, encoding: 'base64' | 'base64url') =>
  Buffer.from(`${before}${KEY}, and more`).toString(encoding);

describe('finds the key in a response', () => {
  it.each([
    ['as it is', `{"text":"${KEY}"}`],
    ['with a slash that is escaped', `{"text":"${KEY.replace('/', '\\/')}"}`],
    ['with a plus that is escaped', `{"text":"${KEY.replace('+', '\\u002B')}"}`],
    ['with each character escaped', `{"text":"${escaped(KEY)}"}`],
    ['percent-encoded', `{"text":"https://x.example/?k=${encodeURIComponent(KEY)}"}`],
    ['percent-encoded in lower case', encodeURIComponent(KEY).replace(/%../g, (hex) => hex.toLowerCase())],
    ...(['base64', 'base64url'] as const).flatMap((encoding) =>
      ['', 'k', 'ke', 'key: '].map((before) => [
        `in ${encoding} behind ${before.length} bytes`,
        `{"text":"${base64(before, encoding)}"}`,
      ]),
    ),
    ['in base64 with slashes that are escaped', base64('', 'base64').replaceAll('/', '\\/')],
  ])('%s', (_case, text) => {
    expect(containsSecret(text, credential)).toBe(true);
  });
});

it('finds the end of a long key in base64, because its beginning may be the same as in other keys', () => {
  const key = `${'the-same-in-all-keys-'.repeat(3)}0123456789abcdefghijKLMNOP`;
  const end = Buffer.from(`${key.slice(-26)}, and more`).toString('base64');
  expect(containsSecret(end, { ...credential, key, value: key })).toBe(true);
});

it('finds a key of twelve characters that is encoded separately in base64', () => {
  const short = { ...credential, key: 'abcdefghijkl', value: 'abcdefghijkl' };
  expect(containsSecret(Buffer.from('abcdefghijkl').toString('base64'), short)).toBe(true);
});

it.each([
  ['nothing of it', '{"text":"100 % of \\"what\\" %zz \\u00e9"}'],
  ['a part of it', KEY.slice(0, -1)],
  ['another key in base64', Buffer.from(`${KEY.slice(0, -20)}${'x'.repeat(20)}`).toString('base64')],
])('passes on a response that contains %s', (_case, text) => {
  expect(containsSecret(text, credential)).toBe(false);
});

const withKey = (key: string) => ({ ...credential, key, value: key });

it.each([12, 13, 14, 17, 23, 24, 25, 26, 27, 40])(
  'finds a key of %d characters in base64 at any position in a response',
  (length) => {
    const key = KEY.padEnd(40, 'Q').slice(-length);
    const form = Buffer.from(key).toString('base64url');
    for (let before = 0; before <= 64; before += 1)
      for (const behind of ['', '" and so on'])
        expect(containsSecret(`${' '.repeat(before)}"${form}${behind}`, withKey(key))).toBe(true);
  },
);

it.each(['#', '#bc', '#bcdefgh', '#bcdefghi'])(
  'does not look for the key %s in base64, which is too short to distinguish from other text',
  (key) => {
    const text = `by-chance-${Buffer.from(key).toString('base64url')}-and-so-on`;
    expect(containsSecret(text, withKey(key))).toBe(false);
  },
);

it('finds an access token', () => {
  const accessToken = { kind: 'access_token', method: 'id-jag', accessToken: KEY } as const;
  expect(containsSecret(`"${KEY}"`, accessToken)).toBe(true);
  expect(containsSecret('"another"', accessToken)).toBe(false);
});

it('does not look for a client certificate, whose key is never sent', () => {
  const certificate = { kind: 'client_certificate', method: 'service', dispatcher: new Agent() } as const;
  expect(containsSecret('-----BEGIN PRIVATE KEY-----', certificate)).toBe(false);
});

it.each([
  ['a quotation mark that is escaped', 'k"0123456789', 'k\\"0123456789'],
  ['a backslash that is escaped', 'k\\0123456789', 'k\\\\0123456789'],
])('finds a key with %s', (_case, key, text) => {
  expect(containsSecret(text, withKey(key))).toBe(true);
});

it.each([
  ['nothing else', 'kn0123456789', ''],
  ['an escaped quotation mark', 'kn0123456789', '\\"'],
  ['an escaped slash', 'kn0123456789', '\\/'],
  ['an escaped backslash', 'kn0123456789', '\\\\'],
  ['a slash that is not escaped', 'kn/123456789', ''],
  ['a quotation mark that is not escaped', 'kn"123456789', ''],
])(
  'does not confuse an escaped line break with an n of the key, in a response with %s',
  (_case, key, besides) => {
    expect(containsSecret(`${besides}${key.replace('n', '\\n')}`, withKey(key))).toBe(false);
  },
);
