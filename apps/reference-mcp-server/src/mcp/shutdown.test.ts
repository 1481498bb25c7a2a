import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Sites } from '../sites/sites.ts';
import { META, MODERN } from '../testing/mcp.ts';
import { createScene } from '../testing/scene.ts';

let server: Server;
let token: string;
let close: () => Promise<void>;
/** Completes the running tool call. */
let answerSites: () => void;
let called: Promise<void>;

beforeEach(async () => {
  const held = new Promise<void>((resolve) => {
    answerSites = resolve;
  });
  let began = () => {};
  called = new Promise((resolve) => {
    began = resolve;
  });
  const sites: Sites = {
    async list() {
      began();
      await held;
      return { data: [], pagination: { total: 0, limit: 20, offset: 0, has_more: false } };
    },
    get: () => Promise.reject(new Error('is not called')),
  };
  const scene = await createScene({ sites });
  close = scene.close;
  token = await scene.grant();
  server = scene.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function send(
  method: string,
  params: object,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const req = httpRequest({
    ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path: '/mcp', method: 'POST' },
    headers: {
      ...{ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Mcp-Method': method },
      ...{ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': MODERN, ...headers },
    },
  });
  req.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }));
  const [answer] = await once(req, 'response');
  return answer;
}
async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

it('ends open subscriptions', async () => {
  const stream = await send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
  await close();
  await textOf(stream); // resolves when the stream has ended
});

it('waits for a running tool call before it ends the streams', async () => {
  const calling = send('tools/call', { name: 'list_sites', arguments: {} }, { 'Mcp-Name': 'list_sites' });
  await called;
  const closing = close();
  answerSites();
  const answer = await calling;
  expect(answer.statusCode).toBe(200);
  expect(await textOf(answer)).toContain('"total":0');
  await closing;
});
