import { expect, it } from '@jest/globals';
import { errorText } from '../faces/mcp/agent-answer.ts';
import { isOfTool, upstreamError } from './upstream-error.ts';

const error = (code: number, message = 'no', data?: string) =>
  ({ kind: 'error', isOurs: true, code, message, data, status: 200 }) as const;

it.each([
  [-32603, -32603],
  [-32602, -32602],
  [-32042, -32042],
  [1, 1],
  [0, 0],
  [399, 399],
  [400, -32603],
  [401, -32603],
  [599, -32603],
  [600, 600],
  [1.5, -32603],
  [1e300, -32603],
])('maps a tool server\u2019s code %d to %d', (code, expected) => {
  expect(upstreamError(error(code)).code).toBe(expected);
});

it.each([-32020, -32021, -32022])('does not return %d as an error to the agent', (code) => {
  expect(isOfTool(error(code))).toBe(false);
});

it.each([
  ['one\r\ntwo\u0000\u009bthree', 'one two three'],
  ['x'.repeat(2000), 'x'.repeat(1024)],
  [`${'x'.repeat(1022)}€`, 'x'.repeat(1022)],
  ['', 'The tool server returned an error'],
])('shortens a long message %#', (message, expected) => {
  expect(upstreamError(error(-32000, message)).message).toBe(expected);
});

it('keeps the text of the data, including numbers', () => {
  const data = '{ "n":12345678901234567890,"d":1.0 }';
  expect(errorText(upstreamError(error(-32000, 'no', data)), '"a"')).toBe(
    `{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":"no","data":${data}}}`,
  );
});
