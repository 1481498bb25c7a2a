import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue, isHeaderValue } from './header-value.ts';

describe('a value', () => {
  it.each([
    ['whoami', 'whoami'],
    ['plain text', 'plain text'],
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' a', '=?base64?IGE=?='],
    ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
    ['', '=?base64??='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
    ['\ufeffa', '=?base64?77u/YQ==?='],
  ])('%j is written as %j, and read from it', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
    expect(decodeHeaderValue(header)).toBe(value);
  });

  it('survives encoding and decoding unchanged, whatever characters it has', () => {
    assert(
      property(string({ unit: 'binary' }), (value) => {
        const header = encodeHeaderValue(value);
        expect(isHeaderValue(header)).toBe(true);
        expect(decodeHeaderValue(header)).toBe(value);
      }),
    );
  });
});

it.each([
  ['has no padding', '=?base64?YQ?='],
  ['has bits behind the last byte', '=?base64?YR==?='],
  ['has blanks', '=?base64?Y Q==?='],
  ['is base64url', '=?base64?77-_?='],
  ['is no base64', '=?base64?é?='],
  ['is no UTF-8', '=?base64?/w==?='],
])('refuses an encoded value that %s', (_case, header) => {
  expect(decodeHeaderValue(header)).toBeUndefined();
});
