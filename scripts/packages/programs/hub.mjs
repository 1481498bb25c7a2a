// A hub that is a function, with one tool that needs approval.
import { createClient } from '@legate/client';

const TOOL = {
  name: 'create',
  mcp_name: 'notes_create',
  description: 'Creates a note',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  _meta: { 'legate/approval': 'required' },
};

/** The names of the tools that were called */
export const called = [];

export const legate = createClient({
  hub: 'https://hub.example',
  idToken: () => 'e30.e30.',
  fetch: async (input) => {
    const { pathname } = new URL(String(input));
    if (pathname === '/api/v1/connectors')
      return Response.json({ data: [{ id: 'con_1', slug: 'notes' }], pagination: { has_more: false } });
    if (pathname.endsWith('/tools')) return Response.json({ tools: [TOOL] });
    called.push(/tools\/(\w+)\/call$/.exec(pathname)?.[1] ?? pathname);
    return Response.json({ content: [{ type: 'text', text: 'created' }] });
  },
});
