import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { type AgentsScene, createAgentsScene, type Era } from '../testing/agents-scene.ts';
import {
  exactIn,
  exactly,
  integerText,
  laidOut,
  objectText,
  stringText,
  valueText,
} from '../testing/exact-json.ts';
import type { Handler } from '../testing/http-server.ts';
import { scriptedMcp } from '../testing/scripted-mcp.ts';

let scene: AgentsScene;
let alice: string;
beforeAll(async () => {
  scene = await createAgentsScene({ connectorIds: ['con_tools'] });
  alice = await scene.idTokenOf('user_alice');
});
afterAll(() => scene.stop());

/** What the tool server has received, as text */
const received: string[] = [];

/** A tool server that answers one method by text of its own, and all else as a usual one. */
function serveText(
  method: string,
  era: Era,
  answer: (body: string, res: Parameters<Handler>[1]) => void,
): void {
  received.length = 0;
  const others = scriptedMcp({}, era);
  const mcp: Handler = (req, res, body) => {
    const isProbe = era === 'legacy' && req.headers['mcp-method'] !== undefined;
    if (body === '' || isProbe || JSON.parse(body).method !== method) return others(req, res, body);
    received.push(body);
    answer(body, res);
  };
  scene.toolServer.misbehaviour = { mcp };
}

const idIn = (body: string): string => String(JSON.parse(body).id);

function sendText(res: Parameters<Handler>[1], transport: 'json' | 'stream', texts: readonly string[]): void {
  if (transport === 'json') {
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(texts.at(-1));
    return;
  }
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const text of texts) res.write(`data: ${text.split(/\r\n?|\n/).join('\ndata: ')}\n\n`);
  res.end();
}

const VERSION = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';
const metaText = (era: Era, members: string): string =>
  era === 'legacy'
    ? `{${members}}`
    : `{${VERSION},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}${members === '' ? '' : `,${members}`}}`;

/** Sends the text of a message as an agent. Returns the text of the answer, and of an event stream all messages. */
async function post(
  era: Era,
  path: string,
  method: string,
  text: string,
  name?: string,
): Promise<{ status: number; texts: readonly string[] }> {
  const answer = await fetch(`${scene.url}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${alice}`,
      'MCP-Protocol-Version': era === 'modern' ? '2026-07-28' : '2025-11-25',
      ...(era === 'modern' && { 'Mcp-Method': method, ...(name !== undefined && { 'Mcp-Name': name }) }),
    },
    body: text,
  });
  const body = await answer.text();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  const texts = isStream ? [...body.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data) : [body];
  return { status: answer.status, texts };
}

const PATHS = { '/mcp': 'con-tools_x', '/mcp/con_tools': 'x' } as const;
const ERAS = ['modern', 'legacy'] as const;

describe('a call of a tool', () => {
  const anyCall = fc.record({
    agent: fc.constantFrom(...ERAS),
    server: fc.constantFrom(...ERAS),
    transport: fc.constantFrom('json' as const, 'stream' as const),
    args: objectText,
    own: valueText,
    result: fc
      .record({ structuredContent: objectText, meta: valueText, later: valueText })
      .map(({ structuredContent, meta, later }) => ({ structuredContent, later, meta })),
    id: fc.oneof(integerText, stringText),
    seed: fc.integer(),
  });
  const one = (seed: number, members: Record<string, string>): string =>
    fc.sample(laidOut(members), { numRuns: 1, seed })[0] ?? '';

  it.each(['/mcp', '/mcp/con_tools'] as const)(
    'passes numbers on as they were written, in both directions, at %s',
    async (path) => {
      const name = PATHS[path];
      await fc.assert(
        fc.asyncProperty(anyCall, async ({ agent, server, transport, args, own, result, id, seed }) => {
          const { structuredContent, meta, later } = result;
          const text = one(seed, {
            content: `[{"type":"text","text":"a","n":${later}}]`,
            structuredContent,
            _meta: `{"com.example/m":${meta}}`,
            later,
            ...(server === 'modern' && { resultType: '"complete"' }),
          });
          serveText('tools/call', server, (body, res) =>
            sendText(res, transport, [one(seed + 1, { jsonrpc: '"2.0"', id: idIn(body), result: text })]),
          );
          const params = one(seed + 2, {
            name: JSON.stringify(name),
            arguments: args,
            _meta: metaText(agent, `"com.example/a":${own}`),
          });
          const message = one(seed + 3, { jsonrpc: '"2.0"', id, method: '"tools/call"', params });
          const { status, texts } = await post(agent, path, 'tools/call', message, name);
          const [answer = ''] = texts;
          expect([status, received.length]).toEqual([200, 1]);
          expect(exactIn(received[0] ?? '', 'params', 'arguments')).toEqual(exactly(args));
          expect(exactIn(received[0] ?? '', 'params', '_meta', 'com.example/a')).toEqual(exactly(own));
          expect(exactIn(answer, 'id')).toEqual(exactly(id));
          for (const member of ['content', 'structuredContent', 'later'])
            expect(exactIn(answer, 'result', member)).toEqual(exactIn(text, member));
          expect(exactIn(answer, 'result', '_meta', 'com.example/m')).toEqual(exactly(meta));
        }),
        runs(200),
      );
    },
  );

  it('passes numbers on as they were written, in both directions, at the REST API', async () => {
    await fc.assert(
      fc.asyncProperty(anyCall, async ({ server, transport, args, result, seed }) => {
        const { structuredContent, meta, later } = result;
        const text = one(seed, {
          content: `[{"type":"text","text":"a","n":${later}}]`,
          structuredContent,
          _meta: `{"com.example/m":${meta},"legate/x":1}`,
        });
        serveText('tools/call', server, (body, res) =>
          sendText(res, transport, [one(seed + 1, { jsonrpc: '"2.0"', id: idIn(body), result: text })]),
        );
        const answer = await fetch(`${scene.url}/api/v1/connectors/con_tools/tools/x/call`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${alice}` },
          body: one(seed + 2, { arguments: args }),
        });
        const answered = await answer.text();
        expect([answer.status, received.length]).toEqual([200, 1]);
        expect(exactIn(received[0] ?? '', 'params', 'arguments')).toEqual(exactly(args));
        for (const member of ['content', 'structuredContent'])
          expect(exactIn(answered, member)).toEqual(exactIn(text, member));
        expect(exactIn(answered, '_meta')).toEqual({ members: [['com.example/m', exactly(meta)]] });
      }),
      runs(200),
    );
  });
});
