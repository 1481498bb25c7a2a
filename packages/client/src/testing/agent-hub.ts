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
  mix: { approval: 'not-required' },
  break: { approval: 'not-required' },
};
const SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string' } },
  additionalProperties: false,
};
/** A result with each kind of content that MCP has, and structured content */
const MIXED = {
  structuredContent: { notes: 2, ids: ['a', 'b'] },
  content: [
    { type: 'text', text: '{ "ids": ["a", "b"], "notes": 2 }' },
    { type: 'text', text: 'Two notes.' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'audio', data: 'BBBBBBBB', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'note://a', mimeType: 'text/plain', text: 'buy milk' } },
    {
      type: 'resource',
      resource: { uri: 'file:///notes/b.pdf', mimeType: 'application/pdf', blob: 'CCCC' },
    },
    { type: 'resource', resource: { uri: 'file:///voice', mimeType: 'audio/mpeg', blob: 'DDDD' } },
    {
      ...{ type: 'resource_link', uri: 'https://notes.example/c', name: 'c', title: 'Note c' },
      ...{ mimeType: 'text/html', size: 12, description: 'The third' },
    },
    { type: 'image', mimeType: 'image/png' },
    { type: 'hologram', data: 'EEEE' },
  ],
};
/** The texts that every framework gets for this result */
export const MIXED_TEXTS = [
  '{"notes":2,"ids":["a","b"]}',
  'Two notes.',
  '[Resource note://a]\nbuy milk',
  '[Resource https://notes.example/c, "Note c": text/html, 12 bytes, The third]',
  '{"type":"image","mimeType":"image/png"}',
  '{"type":"hologram","data":"3 bytes"}',
];

/** `{"email": "alice@acme.example"}` as an unsigned token, because only the hub verifies it */
const ID_TOKEN = `e30.${btoa(JSON.stringify({ email: 'alice@acme.example' }))}.`;

/** A hub for an agent, with tools named `notes_…`. It records which tools were called, with which arguments. */
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
              connector_name: 'Notes',
              authorization: {
                remediationHints: [{ type: 'url', url: 'https://hub.example/connect/con_1' }],
              },
            });
      case 'fail':
        return refusal(403, 'delegation_denied', { detail: 'The policy does not allow it.' });
      case 'draw':
        return json({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });
      case 'mix':
        return json(MIXED);
      case 'break':
        return json({
          isError: true,
          content: [
            { type: 'text', text: 'It broke.' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        });
      default:
        return json({ content: [{ type: 'text', text: `ran ${name}` }] });
    }
  });
  return { legate: createClient({ ...hub.options, idToken: () => ID_TOKEN }), called, connected };
}
