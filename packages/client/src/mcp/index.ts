import type { Legate } from '../client.ts';
import { internalsOf } from '../internals.ts';
import { authenticated } from '../send.ts';

/**
 * Returns a `fetch` for any MCP client at the hub: it sends the client's token and agent, and renews the token.
 * Requests to other addresses are sent unchanged.
 * @example new StreamableHTTPClientTransport(new URL('https://hub.example/mcp'), { fetch: hubFetch(legate) })
 */
export function hubFetch(legate: Legate): typeof fetch {
  const { hub, bearer } = internalsOf(legate);
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${hub.hub}/`)) return hub.fetch(request);
    const response = await authenticated(bearer, request.signal, (token) => {
      const headers = new Headers(request.headers);
      headers.set('Authorization', `Bearer ${token}`);
      if (hub.agentId !== undefined) headers.set('Legate-Agent-Id', hub.agentId);
      return hub.fetch(new Request(request.clone(), { headers, redirect: 'error' }));
    });
    if (response instanceof Response) return response;
    // There is no token to send, so the MCP client gets the response that the hub would return.
    const { kind, detail } = response;
    const status = kind === 'sign_in_required' ? 401 : 503;
    return Response.json({ jsonrpc: '2.0', id: null, error: { code: status, message: detail } }, { status });
  };
}
