import { createClient, type Legate } from '../index.ts';
import { fakeHub, json, refusal } from './fake-hub.ts';

const TOOLS: Readonly<Record<string, { title?: string; annotations?: object; approval?: string }>> = {
  create: { title: 'Create a note', approval: 'required' },
  list: { annotations: { readOnlyHint: true }, approval: 'not-required' },
  new: { approval: 'with-two-signatures' },
  open: {},
  read: { annotations: { readOnlyHint: true } },
  connect: { approval: 'not-required' },
  fail: { approval: 'not-required' },
  draw: { approval: 'not-required' },
};
const SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string' } },
  additionalProperties: false,
};
/** `{"email": "alice@acme.example"}`, unsigned: only the hub verifies it */
const ID_TOKEN = `e30.${btoa(JSON.stringify({ email: 'alice@acme.example' }))}.`;

/** A hub for an agent, whose tools are called `notes_…`. It remembers which were called, with what. */
export function agentHub(): {
  legate: Legate;
  called: [tool: string, args: unknown][];
  connected: { is: boolean };
} {
  const called: [string, unknown][] = [];
  const connected = { is: false };
  const hub = fakeHub(({ path, body }) => {
    if (path.startsWith('/api/v1/connectors?'))
      return json({ data: [{ id: 'con_1', slug: 'notes' }], pagination: { has_more: false } });
    if (path.endsWith('/connections'))
      return json({ authorize_url: 'https://hub.example/oauth/connect/con_1?ticket=t' }, 201);
    if (path.endsWith('/tools'))
      return json({
        tools: Object.entries(TOOLS).map(([name, { approval, ...tool }]) => ({
          ...{ name, mcp_name: `notes_${name}`, description: `The tool ${name}`, inputSchema: SCHEMA },
          ...tool,
          ...(approval !== undefined && { _meta: { 'legate/approval': approval } }),
        })),
      });
    const [, name = ''] = /tools\/(\w+)\/call$/.exec(path) ?? [];
    called.push([name, (body as { arguments: unknown }).arguments]);
    switch (name) {
      case 'connect':
        return connected.is
          ? json({ content: [], structuredContent: { ok: true } })
          : refusal(403, 'connection_required', {
              connector_id: 'con_1',
              authorization: {
                remediationHints: [{ type: 'url', url: 'https://hub.example/connect/con_1' }],
              },
            });
      case 'fail':
        return refusal(403, 'delegation_denied', { detail: 'The policy does not allow it.' });
      case 'draw':
        return json({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });
      default:
        return json({ content: [{ type: 'text', text: `ran ${name}` }] });
    }
  });
  return { legate: createClient({ ...hub, idToken: () => ID_TOKEN }), called, connected };
}
