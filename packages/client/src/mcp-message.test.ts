import { expect, it } from '@jest/globals';
import { headerValue, paramHeadersOf } from './mcp-message.ts';

it('repeats arguments in headers as the schema of the tool asks', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } } },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      absent: { type: 'string', 'x-mcp-header': 'Absent' },
      plain: { type: 'string' },
    },
  };
  const args = { region: 'Zürich', deep: { dry: false }, count: 3, plain: 'x' };
  expect(paramHeadersOf(schema, args)).toEqual({
    'Mcp-Param-Region': '=?base64?WsO8cmljaA==?=',
    'Mcp-Param-Dry-Run': 'false',
    'Mcp-Param-Count': '3',
  });
});

it.each([
  ['plain text', 'plain text'],
  [' space', '=?base64?IHNwYWNl?='],
  ['', '=?base64??='],
  ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
  ['a\r\nb', '=?base64?YQ0KYg==?='],
])('writes %j as the header %s', (value, header) => {
  expect(headerValue(value)).toBe(header);
});
