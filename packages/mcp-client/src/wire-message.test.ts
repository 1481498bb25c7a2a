import { describe, expect, it } from '@jest/globals';
import { describeClient } from './client-description.ts';
import type { AgentSide } from './mcp-request.ts';
import type { McpCredential } from './mcp-target.ts';
import { legacyMessage, modernMessage } from './wire-message.ts';

const CLIENT = describeClient({ name: 'example', version: '1.0.0', extensions: { 'com.example/x': {} } });

const bearer = (accessToken: string): McpCredential => ({
  kind: 'access_token',
  accessToken,
});
const headersOf = (headers: readonly string[]) =>
  Object.fromEntries(headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : [])));

describe('a request of revision 2026-07-28', () => {
  it('has headers that match its body', () => {
    const params = { name: 'whoami', arguments: { a: '"}' } };
    const { headers, body } = modernMessage(
      CLIENT,
      { method: 'tools/call', name: 'whoami', params: JSON.stringify(params) },
      7,
      bearer('token'),
    );
    expect(headersOf(headers)).toEqual({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer token',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
    });
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {
            extensions: { 'com.example/x': {} },
          },
          'io.modelcontextprotocol/clientInfo': { name: 'example', version: '1.0.0' },
        },
      },
    });
  });

  it('is valid without parameters too, and never contains the token in its body', () => {
    const { headers, body } = modernMessage(
      CLIENT,
      { method: 'tools/list', params: '{}' },
      7,
      bearer('secret-token'),
    );
    expect(Object.keys(JSON.parse(body).params)).toEqual(['_meta']);
    expect(headers).not.toContain('mcp-name');
    expect(body).not.toContain('secret-token');
  });
});

describe('the trace that a request is in', () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true, state: 'vendor=1' };
  const agent: AgentSide = {
    meta: new Map([
      ['traceparent', '"of the agent"'],
      ['com.example/a', '1.0'],
    ]),
    capabilities: new Map(),
    wantsProgress: false,
  };
  const session = { revision: '2025-11-25', id: undefined };

  it.each([
    ['2026-07-28', undefined],
    ['2026-07-28', agent],
    ['2025-11-25', undefined],
    ['2025-11-25', agent],
  ])('is sent in header and body, in revision %s for %j', (revision, side) => {
    const request = { method: 'tools/list' as const, params: '{}', ...(side && { agent: side }) };
    const { headers, body } =
      revision === '2026-07-28'
        ? modernMessage(CLIENT, request, 7, bearer('token'), trace)
        : legacyMessage(request, 7, bearer('token'), session, trace);
    expect(headersOf(headers)).toMatchObject({ traceparent, tracestate: 'vendor=1' });
    expect(JSON.parse(body).params._meta).toMatchObject({
      traceparent,
      tracestate: 'vendor=1',
      ...(side && { 'com.example/a': 1 }),
    });
  });

  it('is not sent if there is none', () => {
    const { headers, body } = legacyMessage({ method: 'tools/list', params: '{}' }, 7, bearer('t'), session);
    expect(headers).not.toContain('traceparent');
    expect(JSON.parse(body).params).toEqual({});
  });
});
