import { expect, it } from '@jest/globals';
import { createClient } from '../index.ts';
import { fakeHub, json } from '../testing/fake-hub.ts';
import { hubFetch } from './index.ts';

const EXPIRED = () =>
  json(
    { jsonrpc: '2.0', id: 1, error: { code: 401, data: { code: 'token_expired', reason: 'expired' } } },
    401,
  );

/** A hub that accepts the token `good` */
function scene(tokens: string[]) {
  const seen: [string, string | null, string | null, string][] = [];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const token = request.headers.get('Authorization');
    seen.push([request.url, token, request.headers.get('Legate-Agent-Id'), await request.text()]);
    return token === 'Bearer good' || !request.url.startsWith('https://hub.example/')
      ? json({ ok: true })
      : EXPIRED();
  };
  const { hub } = fakeHub(EXPIRED).options;
  const legate = createClient({ hub, fetch: answer, agentId: 'agt_1', idToken: () => tokens.shift() ?? '' });
  return { seen, fetchFromHub: hubFetch(legate) };
}
const POST = { method: 'POST', body: '{"jsonrpc":"2.0"}', headers: { Authorization: 'Bearer none' } };

it('authenticates an MCP client, and sends its request again with a new token', async () => {
  const { seen, fetchFromHub } = scene(['old', 'good']);
  expect((await fetchFromHub('https://hub.example/mcp', POST)).status).toBe(200);
  expect(seen).toEqual([
    ['https://hub.example/mcp', 'Bearer old', 'agt_1', POST.body],
    ['https://hub.example/mcp', 'Bearer good', 'agt_1', POST.body],
  ]);
});

it.each(['https://other.example/mcp', 'https://hub.example.evil/mcp', 'http://hub.example/mcp'])(
  'sends no token to %s',
  async (url) => {
    const { seen, fetchFromHub } = scene(['good']);
    await fetchFromHub(url);
    expect(seen).toEqual([[url, null, null, '']]);
  },
);

it('responds with 401 if the application has no token', async () => {
  const { seen, fetchFromHub } = scene([]);
  const response = await fetchFromHub('https://hub.example/mcp', POST);
  expect([response.status, await response.json(), seen]).toEqual([
    401,
    expect.objectContaining({ error: expect.objectContaining({ code: 401 }) }),
    [],
  ]);
});

it('throws for an object that is not a client', () => {
  expect(() => hubFetch({} as ReturnType<typeof createClient>)).toThrow(TypeError);
});
