import { expect, it } from '@jest/globals';
import { apiKeyHeader, isApiKey } from './api-key.ts';

it.each([
  'Authorization',
  'X-API-Key',
  'api-key',
  'apikey',
  'Ocp-Apim-Subscription-Key',
  'PRIVATE-TOKEN',
  'X_Token',
])('a key may be sent in %s', (name) => {
  expect(apiKeyHeader.safeParse(name).success).toBe(true);
});

it.each([
  'Host',
  'cookie',
  'Content-Length',
  'Content-Type',
  'Transfer-Encoding',
  'Connection',
  'Proxy-Authorization',
  'X-Forwarded-For',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Accept',
  'Origin',
  'traceparent',
  'Legate-Agent-Id',
  'Sec-Fetch-Site',
  'TE',
  'Expect',
  '',
  ':authority',
  'X Key',
  'X-Key:',
  'X-Key\r\nHost',
  '-x',
  'x'.repeat(65),
  'Schlüssel',
])('rejects a key in %j', (name) => {
  expect(apiKeyHeader.safeParse(name).success).toBe(false);
});

it.each([
  ['sk-123_$%&/()=?', true],
  ['two words', false],
  ['a\nb', false],
  ['a\r\nHost: evil', false],
  ['', false],
  ['schlüssel', false],
])('reports whether %j can be sent in a header: %s', (key, expected) => {
  expect(isApiKey(key)).toBe(expected);
});
