import { expect, it } from '@jest/globals';
import { isEventStream, modernRequest } from './message.ts';

it('repeats the method and the name of a request in its headers', () => {
  const { headers, body } = modernRequest({
    id: 7,
    method: 'tools/call',
    params: { name: 'größe', arguments: {} },
    name: 'größe',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'example', version: '1' },
    wantsProgress: true,
    paramHeaders: { 'mcp-param-region': 'eu' },
  });
  expect(headers).toEqual({
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': '=?base64?Z3LDtsOfZQ==?=',
    'mcp-param-region': 'eu',
  });
  expect(body).toEqual({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: {
      name: 'größe',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        'io.modelcontextprotocol/clientInfo': { name: 'example', version: '1' },
        progressToken: 7,
      },
    },
  });
});

it('omits the name, client and progress token if they are not given', () => {
  const { headers, body } = modernRequest({ id: 1, method: 'tools/list', params: {}, capabilities: {} });
  expect(Object.keys(headers)).toEqual(['Accept', 'MCP-Protocol-Version', 'Mcp-Method']);
  expect(Object.keys(body.params._meta)).toHaveLength(2);
});

it.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['application/json', false],
  [null, false],
  [undefined, false],
])('recognises an event stream by the content type %j', (contentType, is) => {
  expect(isEventStream(contentType)).toBe(is);
});
