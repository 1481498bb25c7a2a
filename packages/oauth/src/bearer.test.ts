import { describe, expect, it } from '@jest/globals';
import { formatBearerChallenge, parseBearerChallenge, readBearer } from './index.ts';

describe('a bearer token', () => {
  it.each([
    ['Bearer abc.DEF-_~+/==', { kind: 'token', token: 'abc.DEF-_~+/==' }],
    ['bearer abc', { kind: 'token', token: 'abc' }],
    ['BEARER   abc', { kind: 'token', token: 'abc' }],
    [undefined, { kind: 'absent' }],
    ['', { kind: 'absent' }],
    ['Basic YTpi', { kind: 'absent' }],
    ['BearerX abc', { kind: 'absent' }],
    ['Bearer', { kind: 'malformed' }],
    ['Bearer ', { kind: 'malformed' }],
    ['Bearer a b', { kind: 'malformed' }],
    ['Bearer a,b', { kind: 'malformed' }],
    ['Bearer a=b', { kind: 'malformed' }],
    ['Bearer ü', { kind: 'malformed' }],
    ['Bearer\tabc', { kind: 'malformed' }],
  ])('in %j is read as %j', (header, outcome) => {
    expect(readBearer(header)).toEqual(outcome);
  });
});

describe('a challenge', () => {
  it('without credentials in the request names no error', () => {
    expect(formatBearerChallenge({})).toBe('Bearer');
    expect(formatBearerChallenge({ resourceMetadata: 'https://h/.well-known/x' })).toBe(
      'Bearer resource_metadata="https://h/.well-known/x"',
    );
  });

  it('is parsed back to the same parameters', () => {
    const text = formatBearerChallenge({
      error: 'insufficient_scope',
      errorDescription: 'More is needed.',
      scope: 'mcp:tools:read mcp:tools:call',
      resourceMetadata: 'https://h/meta?a=b,c',
      realm: 'tools',
    });
    expect({ ...parseBearerChallenge(text) }).toEqual({
      realm: 'tools',
      error: 'insufficient_scope',
      error_description: 'More is needed.',
      scope: 'mcp:tools:read mcp:tools:call',
      resource_metadata: 'https://h/meta?a=b,c',
    });
  });

  it('drops quotes, line breaks and non-ASCII characters, to prevent header injection', () => {
    const text = formatBearerChallenge({ scope: 'a" , error="x\r\nSet-Cookie: y\\ü' });
    expect(text).toBe('Bearer scope="a , error=xSet-Cookie: y"');
  });
});

describe('the challenge of a peer', () => {
  it.each([
    ['Bearer', {}],
    ['bearer scope=a', { scope: 'a' }],
    ['Bearer scope = "a b" ,error="x"', { scope: 'a b', error: 'x' }],
    ['Bearer realm="say \\"hi\\", please", scope="s"', { realm: 'say "hi", please', scope: 's' }],
    ['Basic realm="b", Bearer scope="s"', { scope: 's' }],
    ['Bearer scope="s", Basic realm="b"', { scope: 's' }],
    ['Bearer SCOPE="first", scope="second"', { scope: 'first' }],
    ['Bearer scope="unclosed', {}],
  ])('%s is read as %j', (header, parameters) => {
    expect({ ...parseBearerChallenge(header) }).toEqual(parameters);
  });

  it.each([undefined, '', 'Basic realm="x"', 'DPoP algs="ES256"'])('is absent in %j', (header) => {
    expect(parseBearerChallenge(header)).toBeUndefined();
  });

  it('has no parameters that were not sent', () => {
    const parameters = parseBearerChallenge('Bearer __proto__="x", scope="s"');
    expect(parameters?.constructor).toBeUndefined();
    expect(parameters?.toString).toBeUndefined();
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  // The input is so long that a quadratic parser would take an hour, so the test needs no time limit of its own.
  it.each([
    ['commas', ' , '.repeat(1_000_000)],
    ['backslashes', `Bearer a="${'\\'.repeat(1_000_000)}`],
    ['one name', `Bearer ${'a'.repeat(1_000_000)}`],
  ])('of a megabyte of %s is parsed in linear time', (_of, hostile) => {
    expect({ ...parseBearerChallenge(hostile) }).toEqual({});
  });
});
