import { describe, expect, it } from '@jest/globals';
import { membersOf } from '@legate/mcp-client';
import fc from 'fast-check';
import { RpcError } from '../../refusals/rpc-error.ts';
import { readMessage } from './message.ts';

/** Parses a message that was sent as this body. */
function read(headers: Parameters<typeof readMessage>[0], body: unknown) {
  const json = JSON.stringify(body) ?? 'null';
  return readMessage(headers, body === undefined ? undefined : JSON.parse(json), membersOf(json));
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, tasks: {} },
};
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
const call = (name: string, meta: object = {}) => ({
  jsonrpc: '2.0',
  id: 'a',
  method: 'tools/call',
  params: { name, arguments: {}, _meta: { ...META, ...meta } },
});

it('parses a request of the modern revision, and the members of _meta that are not reserved for the hub', () => {
  const meta = {
    ...{
      progressToken: 0,
      traceparent: '00-1',
      'com.example/a': 1,
      'legate/approval': 'not-required',
      'io.modelcontextprotocol/logLevel': 'debug',
    },
  };
  const headers = { ...MODERN, 'mcp-name': 'x', 'mcp-param-a': '=?base64?w6k=?=', other: 'y' };
  expect(read(headers, call('x', meta))).toEqual({
    kind: 'request',
    era: 'modern',
    id: '"a"',
    canElicitUrl: false,
    method: 'tools/call',
    params: { name: 'x', arguments: {} },
    written: new Map([
      ['name', '"x"'],
      ['arguments', '{}'],
      ['_meta', JSON.stringify({ ...META, ...meta })],
    ]),
    agent: {
      meta: new Map([
        ['traceparent', '"00-1"'],
        ['com.example/a', '1'],
      ]),
      capabilities: new Map([['elicitation', '{}']]),
      wantsProgress: true,
      logLevel: 'debug',
    },
    progressToken: '0',
    paramHeaders: new Map([['mcp-param-a', 'é']]),
  });
});

it.each([undefined, null])('treats %s as omitted params', (params) => {
  const message = { jsonrpc: '2.0', id: 7, method: 'ping', params };
  expect(read({}, message)).toMatchObject({ kind: 'request', params: {} });
});

const CALL_ID = 'evt_01KYYK41G0MTR9P0W9Z0TW569K';

it.each([
  [CALL_ID, CALL_ID],
  [`${CALL_ID}0`, undefined],
  ['evt_', undefined],
  ['x'.repeat(1000), undefined],
  [[CALL_ID], undefined],
  [undefined, undefined],
])('reads %.40j as the id of the denied call that is repeated only if it is a call id', (id, retryOf) => {
  const params = { _meta: { 'io.modelcontextprotocol/authorization-context-id': id } };
  const message = { jsonrpc: '2.0', id: 7, method: 'ping', params };
  expect(read({}, message)).toMatchObject({ retryOf, agent: { meta: new Map() } });
});

it('parses a request of an older revision, which has no capabilities', () => {
  const params = {
    _meta: { progressToken: 'p', 'legate/approval': 'not-required' },
    capabilities: { sampling: {} },
  };
  const message = { jsonrpc: '2.0', id: 7, method: 'ping', params };
  expect(read({ 'mcp-protocol-version': '2025-06-18', 'mcp-param-a': 'x' }, message)).toMatchObject({
    era: 'legacy',
    agent: { meta: new Map(), capabilities: new Map(), wantsProgress: true },
    progressToken: '"p"',
    paramHeaders: new Map(),
  });
});

describe('a string of 256 characters', () => {
  const LONGEST = 'x'.repeat(256);

  it('is accepted as id and as progress token', () => {
    const message = { ...call('x', { progressToken: LONGEST }), id: LONGEST };
    expect(read({ ...MODERN, 'mcp-name': 'x' }, message)).toMatchObject({
      id: `"${LONGEST}"`,
      progressToken: `"${LONGEST}"`,
    });
  });

  it.each([
    ['id', { id: `${LONGEST}x` }, -32600, /^Invalid Request: id must be .* 256 characters$/],
    [
      'progress token',
      call('x', { progressToken: `${LONGEST}x` }),
      -32602,
      /^Invalid params: progressToken must have at most 256 characters$/,
    ],
  ])('is the longest accepted as %s', (_what, change, code, message) => {
    const reading = () => read({ ...MODERN, 'mcp-name': 'x' }, { ...call('x'), ...change });
    expect(reading).toThrow(
      expect.objectContaining({ code, status: 400, message: expect.stringMatching(message) }),
    );
  });
});

describe('Mcp-Name', () => {
  it.each([
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' a', '=?base64?IGE=?='],
    ['a b', 'a b'],
  ])('may encode %j as %j', (name, header) => {
    expect(read({ ...MODERN, 'mcp-name': header }, call(name))).toMatchObject({ params: { name } });
  });

  it.each([
    ['x', 'X'],
    ['x', '=?base64?eQ==?='],
    ['=?base64?eA==?=', '=?base64?eA==?='],
  ])('must not encode %j as %j', (name, header) => {
    expect(() => read({ ...MODERN, 'mcp-name': header }, call(name))).toThrow(/Mcp-Name/);
  });
});

describe('the encoded form of a header', () => {
  it.each([
    ['without its padding', 'Z3LDtsOfZQ'],
    ['with half of its padding', 'Z3LDtsOfZQ='],
    ['with bits that nothing decodes to', 'Z3LDtsOfZR=='],
    ['with characters of another alphabet', 'Z3LDt_OfZQ=='],
    ['with blanks', 'Z3LD tsOfZQ=='],
    ['of bytes that are no UTF-8', '/w=='],
  ])('is refused with -32020 %s', (_case, encoded) => {
    const header = `=?base64?${encoded}?=`;
    for (const sent of [{ 'mcp-name': header }, { 'mcp-name': 'größe', 'mcp-param-a': header }])
      expect(() => read({ ...MODERN, ...sent }, call('größe'))).toThrow(
        expect.objectContaining({ code: -32020, status: 400 }),
      );
  });
});

it('compares the version of the header with that of the body before checking it', () => {
  const body = call('x', { 'io.modelcontextprotocol/protocolVersion': 'v999' });
  expect(() => read({ ...MODERN, 'mcp-name': 'x' }, body)).toThrow(
    expect.objectContaining({ code: -32020, status: 400 }),
  );
  expect(() => read({ ...MODERN, 'mcp-protocol-version': 'v999' }, body)).toThrow(
    expect.objectContaining({ code: -32022, status: 400 }),
  );
});

describe('any input', () => {
  const text = fc.oneof(
    fc.constantFrom('2.0', '2026-07-28', '2025-11-25', 'tools/call', 'tools/list', 'notifications/cancelled'),
    fc.string(),
  );
  const member = fc.constantFrom(
    ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta', 'name', 'progressToken', 'toString'],
    ...['__proto__', 'constructor', ...Object.keys(META)],
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(member, tie('value'), { maxKeys: 6 }),
    ),
  })).value;
  const message = fc.record(
    { jsonrpc: fc.constantFrom('2.0', '2.0', 2), id: json, method: text, params: json },
    { requiredKeys: ['jsonrpc'] },
  );
  const headers = fc.dictionary(
    fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-a'),
    text,
  );

  it('is a message, or is refused with a 4xx', () => {
    fc.assert(
      fc.property(headers, fc.oneof(message, json), (sent, body) => {
        try {
          expect(read(sent, body).kind).toMatch(/^(request|notification|response)$/);
        } catch (err) {
          if (!(err instanceof RpcError)) throw err;
          expect(err.status).toBeGreaterThanOrEqual(400);
          expect(err.status).toBeLessThan(500);
        }
      }),
      { numRuns: 500 },
    );
  });
});
