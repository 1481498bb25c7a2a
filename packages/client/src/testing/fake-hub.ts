export interface HubCall {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly agentId: string | undefined;
  readonly body: unknown;
}

type Answer = Response | Promise<Response>;

/**
 * A hub that is a function: `fetch` in the options of the client under test. It responds by path, and records requests.
 */
export function fakeHub(answer: (call: HubCall, init: RequestInit) => Answer) {
  const calls: HubCall[] = [];
  const fetchFromHub: typeof fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const headers = new Headers(init.headers);
    const call = {
      method: init.method ?? 'GET',
      path: pathname + search,
      token: headers.get('Authorization')?.replace('Bearer ', ''),
      agentId: headers.get('Legate-Agent-Id') ?? undefined,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    calls.push(call);
    return answer(call, init);
  };
  return { options: { hub: 'https://hub.example', fetch: fetchFromHub }, calls };
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

export const refusal = (status: number, code: string, members: object = {}, headers = {}): Response =>
  json({ status, code, detail: `${code}.`, ...members }, status, headers);

/** Responds as a hub with one connector, whose only tool returns the token that it was called with. */
export function serveOneTool({ path, token }: HubCall): Response {
  if (path.startsWith('/api/v1/connectors?'))
    return json({ data: [{ id: 'con_1', slug: 'notes' }], pagination: { has_more: false } });
  if (path === '/api/v1/connectors/con_1/tools')
    return json({
      tools: [
        { name: 'create', mcp_name: 'notes_create', title: 'Create a note', inputSchema: { type: 'object' } },
      ],
    });
  if (path === '/api/v1/connectors/con_1/tools/create/call')
    return json({ content: [{ type: 'text', text: `by ${token}` }] }, 200, { 'Legate-Call-Id': 'evt_1' });
  return refusal(404, 'not_found');
}
