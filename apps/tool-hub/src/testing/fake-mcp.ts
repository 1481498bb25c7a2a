import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { sendJson } from './http-server.ts';

export type McpMode = 'modern' | 'modern-sse' | 'legacy' | 'legacy-session' | 'legacy-sse';

export interface McpSession {
  readonly user: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: Record<string, unknown>;
    readonly cursor?: string;
    readonly _meta?: Record<string, unknown>;
  };
}

interface Request {
  readonly mode: McpMode;
  readonly user: { readonly sub: string };
  readonly message: Message;
  readonly headers: IncomingHttpHeaders;
  readonly sessions: Map<string, McpSession>;
}

const MODERN = '2026-07-28';
/** A tool on the second page of the list, with members that clients must not change. */
const NOTES_TOOL = {
  name: 'notes',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { text: { type: 'string' } },
    properties: { text: { $ref: '#/$defs/text' } },
    additionalProperties: false,
  },
};
const DESCRIPTION = {
  supportedVersions: [MODERN],
  capabilities: { tools: {} },
  serverInfo: { name: 'new', version: '1' },
};
const WHOAMI_TOOL = { name: 'whoami', description: 'Who calls', inputSchema: { type: 'object' } };

/**
 * Responds like a server of the mode's revision: with the header checks of the modern one, or the handshake of the old.
 */
export function answerMcp(request: Request, res: ServerResponse) {
  if (request.mode.startsWith('modern')) answerModern(request, res);
  else answerLegacy(request, res);
}

function answerModern(request: Request, res: ServerResponse) {
  const { message, headers } = request;
  const meta = message.params?._meta ?? {};
  const consistent =
    headers['mcp-protocol-version'] === MODERN &&
    meta['io.modelcontextprotocol/protocolVersion'] === MODERN &&
    typeof meta['io.modelcontextprotocol/clientCapabilities'] === 'object' &&
    headers['mcp-method'] === message.method &&
    (message.method !== 'tools/call' || decodeHeader(headers['mcp-name']) === message.params?.name);
  if (!consistent) return sendJson(res, 400, rpcError(message, -32020, 'Header mismatch'));
  sendAnswer(request, res, { resultType: 'complete' });
}

function answerLegacy(request: Request, res: ServerResponse) {
  const { message, headers, sessions, mode, user } = request;
  if (message.method === 'initialize') {
    const sessionId = `session_${sessions.size + 1}`;
    if (mode === 'legacy-session') sessions.set(sessionId, { user: user.sub });
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 'old', version: '1' },
    };
    const extra = mode === 'legacy-session' ? { 'Mcp-Session-Id': sessionId } : {};
    return sendJson(res, 200, { result, jsonrpc: '2.0', id: message.id }, extra);
  }
  if (headers['mcp-protocol-version'] !== '2025-06-18')
    return sendJson(res, 400, rpcError(message, -32000, 'Bad Request: Unsupported protocol version'));
  if (mode === 'legacy-session') {
    const session = sessions.get(String(headers['mcp-session-id']));
    // Like the official SDK, which has not read the message at this point
    if (session?.user !== user.sub) return sendJson(res, 404, rpcError({}, -32001, 'Session not found'));
  }
  if (message.method === 'notifications/initialized') {
    res.writeHead(202).end();
    return;
  }
  sendAnswer(request, res, {});
}

function sendAnswer(request: Request, res: ServerResponse, resultBase: Record<string, unknown>) {
  const answer = answerTo(request, resultBase);
  if (!request.mode.endsWith('-sse')) return sendJson(res, 200, answer);
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  res.write(': a comment\n\n');
  res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })}\n\n`);
  const text = `id: 1\nevent: message\ndata: ${JSON.stringify(answer)}\n\n`;
  // The text is split into two chunks, within a multi-byte character if there is one.
  const bytes = Buffer.from(text);
  const at = Math.max(bytes.indexOf(0xc3) + 1, 1);
  res.write(bytes.subarray(0, at));
  res.end(bytes.subarray(at));
}

function answerTo({ message, user, mode }: Request, base: Record<string, unknown>): unknown {
  if (message.method === 'server/discover' && mode.startsWith('modern'))
    return rpcResult(message, { ...DESCRIPTION, ...base });
  if (message.method === 'tools/list') {
    const page =
      message.params?.cursor === 'page-2'
        ? { tools: [NOTES_TOOL] }
        : { tools: [WHOAMI_TOOL], nextCursor: 'page-2' };
    return rpcResult(message, { ...page, ...base });
  }
  if (message.method !== 'tools/call') return rpcError(message, -32601, 'Method not found');
  const { name, arguments: args = {} } = message.params ?? {};
  const text = (value: string) => ({ content: [{ type: 'text', text: value }], ...base });
  if (name === 'whoami') return rpcResult(message, text(user.sub));
  if (name === 'echo') return rpcResult(message, text(JSON.stringify(args)));
  if (name === 'fails') return rpcResult(message, { ...text('it did not work'), isError: true });
  if (name === 'notes') return rpcError(message, -32602, 'text: must be a string');
  if (name === 'broken') return rpcError(message, -32603, 'a stack trace of theirs');
  return rpcError(message, -32602, `Tool ${name} not found`);
}

const rpcResult = (message: Message, result: unknown) => ({ jsonrpc: '2.0', id: message.id, result });

const rpcError = (message: Message, code: number, text: string) => ({
  jsonrpc: '2.0',
  id: message.id ?? null,
  error: { code, message: text },
});

function decodeHeader(value: string | string[] | undefined): string | undefined {
  const text = String(value);
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text)?.[1];
  return encoded === undefined ? text : Buffer.from(encoded, 'base64').toString('utf8');
}
