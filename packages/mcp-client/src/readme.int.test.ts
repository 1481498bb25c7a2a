import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { whoami } from './testing/example.ts';

let requests: IncomingHttpHeaders[] = [];
const server = createServer(async (req, res) => {
  requests.push(req.headers);
  let body = '';
  for await (const chunk of req) body += chunk;
  const { id } = JSON.parse(body);
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'Alice' }] } }));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
  requests = [];
});

it('shows the example that this test runs', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('testing/example.ts')}\`\`\``);
});

it('calls a tool as a user', async () => {
  const { port } = server.address() as AddressInfo;
  const answer = await whoami(`http://127.0.0.1:${port}/mcp`, 'alice', 'token-of-alice');
  expect(answer).toMatchObject({ kind: 'result', result: { content: [{ text: 'Alice' }] } });
  expect(requests).toMatchObject([
    { authorization: 'Bearer token-of-alice', 'mcp-method': 'server/discover' },
    { authorization: 'Bearer token-of-alice', 'mcp-name': 'whoami' },
  ]);
});
