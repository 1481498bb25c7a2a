import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  describeBody,
  isPage,
  membersAtFault,
  shown,
  shownIdentifier,
  shownUrl,
  shownValue,
  withoutSecrets,
} from './peer-words.ts';

describe('text from a peer', () => {
  it('is shown in printable ASCII, and truncated', () => {
    expect(shown('a\u001b[31m\u202e\nb')).toBe('a?[31m??b');
    expect(shown('x'.repeat(300))).toHaveLength(201);
  });

  it.each([
    ['https://user:pass@as.example/a/b?key=s3cret#x', 'https://as.example/a/b?…'],
    ['https://as.example', 'https://as.example/'],
    ['no url', 'something that is not a URL'],
  ])('is shown without the parts of a URL that may be secret: %s', (url, expected) => {
    expect(shownUrl(url)).toBe(expected);
  });

  it.each<[unknown, string]>([
    ['DPoP', '"DPoP"'],
    ['https://tools.example/mcp', '"https://tools.example/mcp"'],
    ['urn:ietf:params:oauth:token-type:access_token', '"urn:ietf:params:oauth:token-type:access_token"'],
    ['a"\u0000b', '"a\'?b"'],
    ['eyJhbGciOiJSUzI1NiJ9.e30.AA', 'a text'],
    ['lgt_4f9a8b7c6d5e4f3a2b1c0d9e8f', 'a text'],
    ['x'.repeat(81), 'a text'],
    ['', 'an empty text'],
    [undefined, 'missing'],
    [null, 'null'],
    [7, 'a number'],
    [['a'], 'a list'],
    [{}, 'an object'],
  ])('is replaced by its type if it may be a secret or is not a string: %j', (value, expected) => {
    expect(shownValue(value)).toBe(expected);
  });

  it('is shown if it is a GUID in a member that identifies something, and only there', () => {
    const guid = '8eaf6f9f-6a0f-4c1e-9d6a-2F9D1C1B7A10';
    expect([shownIdentifier(guid), shownValue(guid)]).toEqual([`"${guid}"`, 'a text']);
    for (const value of [
      `${guid}0`,
      `x${guid}`,
      'eyJhbGciOiJSUzI1NiJ9.e30.AA',
      '',
      undefined,
      'DPoP',
      [guid],
    ])
      expect(shownIdentifier(value)).toBe(shownValue(value));
  });

  it('is shown without the secrets that were sent to the peer', () => {
    expect(withoutSecrets('it is "pass word", not pass', ['pass word', undefined, ''])).toBe(
      'it is "[secret]", not pass',
    );
  });
});

it.each<[string, unknown, string]>([
  ['one that is missing', { issuer: 'https://as.example' }, '"token_endpoint" is missing'],
  [
    'one of another kind',
    { issuer: 7, token_endpoint: null },
    '"issuer" is a number, "token_endpoint" is null',
  ],
  [
    'one with a bad value, which is not repeated',
    { issuer: 'secret', token_endpoint: 'https://as.example' },
    '"issuer" is an unusable text',
  ],
  [
    'one in a list',
    { issuer: 'https://a.example', token_endpoint: 'https://a.example', list: [1] },
    '"list.0" is a number',
  ],
  ['a document that is no object', 'text', 'it is an unusable text'],
])('names the invalid members of a document: %s', (_case, document, expected) => {
  const schema = z.looseObject({
    issuer: z.url(),
    token_endpoint: z.url(),
    list: z.array(z.url()).optional(),
  });
  const { error } = schema.safeParse(document);
  expect(error && membersAtFault(error, document)).toBe(expected);
});

it.each([
  [
    { type: 'text/html; charset=utf-8', text: '<p>', server: 'cloudflare' },
    'an HTML page from "cloudflare"',
    true,
  ],
  [{ type: 'text/html; charset=utf-8' }, 'an HTML page', true],
  [{ type: 'text/html; charset=utf-8', text: 'Unauthorized' }, 'text/html', false],
  [{ type: 'text/html; charset=utf-8', text: '' }, 'no body', false],
  [{ type: undefined, text: '\n<!DOCTYPE html>' }, 'an HTML page', true],
  [{ type: 'text/plain', text: '\uFEFF<html>' }, 'an HTML page', true],
  [{ type: 'application/xml', text: '<Error/>' }, 'application/xml', true],
  [{ type: 'text/plain', text: 'no', server: 'nginx/1.2' }, 'text/plain from "nginx"', false],
  [{ type: 'text/plain' }, 'text/plain', false],
  [{ type: 'text/plain', server: 'sk-live-0123456789abcdef' }, 'text/plain', false],
  [{ type: 'text/plain', server: 'key/0123456789abcdef0123456789' }, 'text/plain', false],
  [{ type: 'application/problem+json', text: '{}' }, 'application/problem+json', false],
  [{ type: undefined, text: '' }, 'no body', false],
  [{ type: '"><script>', text: 'x', server: '<b>' }, 'a body without a type', false],
])('describes %j as %s', (answer, expected, page) => {
  expect([describeBody(answer), isPage(answer)]).toEqual([expected, page]);
});
