import { expect, it } from '@jest/globals';
import { createStyle } from '../terminal/style.ts';
import type { Exchange } from './http.ts';
import { createPrinter } from './printer.ts';

const TOKEN = `eyJhbGciOiJSUzI1NiJ9.${'a'.repeat(400)}.${'b'.repeat(300)}`;

function print(change: Partial<Exchange>): string {
  let output = '';
  const stream = { isTTY: false } as NodeJS.WriteStream;
  const printer = createPrinter(
    (text) => {
      output += text;
    },
    createStyle(stream, {}),
    100,
  );
  printer.exchange({
    method: 'POST',
    url: 'http://localhost:4002/oauth/token',
    headers: {},
    status: 200,
    answerHeaders: new Headers(),
    answer: {},
    ms: 1,
    ...change,
  });
  return output;
}

it('shows only the beginning of tokens and secrets, wherever they are', () => {
  const output = print({
    headers: { Authorization: `Bearer ${TOKEN}` },
    form: { subject_token: TOKEN, client_secret: 'short-secret', scope: 'mcp:tools:read' },
    answer: { access_token: TOKEN, nested: { id_token: TOKEN }, expires_in: 300 },
  });
  expect(output).not.toContain('a'.repeat(50));
  expect(output).not.toContain('short-secret');
  expect(output).toContain(`${TOKEN.slice(0, 12)}… (${TOKEN.length} characters)`);
  expect(output).toContain('scope = mcp:tools:read');
  expect(output).toContain('"expires_in": 300');
});

it('shows the text of a tool without the envelopes of JSON-RPC and MCP', () => {
  const output = print({
    answer: { jsonrpc: '2.0', id: 1, result: { structuredContent: { subject: 'user_alice' } } },
  });
  expect(output).toContain('"subject": "user_alice"');
  expect(output).not.toContain('jsonrpc');
});

it('writes no colours without a terminal', () => {
  expect(print({ status: 400 })).not.toContain('\u001b[');
});

it('fits a narrow terminal, except for unbreakable text', () => {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const printer = createPrinter(write, createStyle({ isTTY: false } as NodeJS.WriteStream, {}), 60);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  printer.say('word '.repeat(60));
  printer.token(
    `${encode({ alg: 'RS256', kid: 'k'.repeat(40) })}.${encode({ organization_id: 'org_acme', sub: 'u'.repeat(40) })}.s`,
    'idJag',
    'ID-JAG',
  );
  printer.exchange({
    method: 'POST',
    url: 'http://localhost:4003/mcp',
    headers: {},
    json: { jsonrpc: '2.0', method: 'tools/call', params: { name: 'whoami', arguments: {} } },
    status: 200,
    answerHeaders: new Headers(),
    answer: {},
    ms: 1,
  });
  printer.refusal('word '.repeat(30).trim(), '400 invalid_grant', true);
  printer.step({
    method: 'GET',
    url: `http://a.example/interaction/${'i'.repeat(43)}/login?a=b`,
    status: 303,
  });
  expect(output).toContain('  GET  http://a.example/interaction/…/login → 303\n');
  printer.table([['name', 'word '.repeat(11).trim()]]);
  expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(61);
  const url = `http://localhost:4002/${'a'.repeat(60)}`;
  printer.say(`See ${url} for more`);
  printer.table([
    ['url', url],
    ['', url],
  ]);
  expect(output.split('\n').filter((line) => line.trim() === url)).toHaveLength(3);
  expect(output).not.toContain('\n\n');
});
