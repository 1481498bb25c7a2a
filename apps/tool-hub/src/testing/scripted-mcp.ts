import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, sendJson } from './http-server.ts';

export interface ScriptedRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Record<string, unknown> & { readonly _meta?: Record<string, unknown> };
  readonly headers: IncomingHttpHeaders;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Sends a message in an event stream, which it starts if necessary. */
  event(message: object): void;
}

/**
 * Handlers by method; `response` gets the hub's response to a request of the server, with its members as `params`.
 * @returns the result, or `{error}`; undefined: the handler has responded itself, or never will
 */
export type Script = Readonly<Record<string, (request: ScriptedRequest) => object | undefined>>;

const DESCRIBED: Script = {
  'server/discover': () => ({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: 's', version: '1' },
  }),
};

/** Starts a tool server that follows a script, in the given era. */
export function scriptedMcp(script: Script, era: 'modern' | 'legacy' = 'modern'): Handler {
  return (req, res, body) => {
    const { id, method, params = {}, ...response } = JSON.parse(body);
    if (era === 'legacy' && req.headers['mcp-method'] !== undefined) return sendJson(res, 400, {});
    if (era === 'legacy' && method === 'initialize') {
      const serverInfo = { name: 'old', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
      return sendJson(res, 200, { jsonrpc: '2.0', id, result }, { 'Mcp-Session-Id': 'session-1' });
    }
    const event = (message: object): void => {
      if (!res.headersSent) res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    };
    if (method === undefined) {
      script.response?.({ id, method: 'response', params: response, headers: req.headers, req, res, event });
      return res.writeHead(202).end();
    }
    if (id === undefined) {
      script[method]?.({ id, method, params, headers: req.headers, req, res, event });
      return res.headersSent ? undefined : res.writeHead(202).end();
    }
    const answer =
      { ...(era === 'modern' && DESCRIBED), ...script }[method]?.({
        id,
        method,
        params,
        headers: req.headers,
        req,
        res,
        event,
      }) ?? null;
    if (answer === null) {
      const status = era === 'modern' ? 404 : 200;
      if (!script[method])
        sendJson(res, status, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
      return;
    }
    const message =
      'error' in answer
        ? answer
        : { result: { ...(era === 'modern' && { resultType: 'complete' }), ...answer } };
    if (res.headersSent) {
      event({ id, ...message });
      res.end();
    } else sendJson(res, 200, { jsonrpc: '2.0', id, ...message });
  };
}

/** Returns a list of tools with one page. */
export const tools = (...names: string[]) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
});
