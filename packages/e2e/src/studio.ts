import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callerOf, createToolServer } from '@legate/tool-server';
import { legate, requireAccessToken } from '@legate/tool-server/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { z } from 'zod';

/** The result of `paint`, to be compared with what arrives. */
export const PAINTING = {
  content: [
    { type: 'image' as const, data: Buffer.from('a painting').toString('base64'), mimeType: 'image/png' },
    { type: 'text' as const, text: 'Le ciel é bleu \u2028 "…"' },
  ],
  structuredContent: { strokes: [1, 2.5, 1e21], title: 'Ciel', 'unnamed member': { nested: [null, true] } },
};

export interface Studio {
  readonly resource: string;
  /** Resolves when the next `sculpt` has begun. */
  sculpture(): Promise<Sculpture>;
  stop(): Promise<void>;
}

/** A call of `sculpt`, which sends one progress notification and then takes as long as requested. */
export interface Sculpture {
  finish(): void;
  /** Resolves when the tool server notices that the caller no longer waits. */
  readonly cancelled: Promise<void>;
}

const SCOPES = ['mcp:tools:read', 'mcp:tools:call'];

/** A second tool server, built on `@legate/tool-server`: images, structured content, and a tool that takes long. */
export async function startStudio(options: { issuer: string; clientSecret: string }): Promise<Studio> {
  const app = express();
  const http = createServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const resource = `http://localhost:${(http.address() as AddressInfo).port}`;

  const waiting: ((sculpture: Sculpture) => void)[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const toolServer = await createToolServer({
    resource,
    trustedIssuers: [options.issuer],
    clients: [{ clientId: 'tool-hub', secret: options.clientSecret }],
    scopes: SCOPES,
    log,
  });
  const handler = createMcpHandler(({ authInfo }) => {
    const server = new McpServer({ name: 'studio', version: '1' });
    server.registerTool('paint', { inputSchema: z.object({}) }, () => PAINTING);
    server.registerTool('sculpt', { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
      const [finished, cancelled] = [deferred(), deferred()];
      mcpReq.signal.addEventListener('abort', () => cancelled.resolve());
      for (const begin of waiting.splice(0))
        begin({ finish: finished.resolve, cancelled: cancelled.promise });
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2, message: 'half done' },
        });
      await Promise.race([finished.promise, cancelled.promise]);
      return { content: [{ type: 'text', text: `for ${callerOf(authInfo).sub}` }] };
    });
    server.registerResource('catalogue', 'studio://catalogue', { mimeType: 'text/plain' }, (uri) => ({
      contents: [{ uri: uri.href, text: `catalogue of ${callerOf(authInfo).sub}` }],
    }));
    server.registerPrompt('critique', { argsSchema: z.object({ work: z.string() }) }, ({ work }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Judge ${work}.` } }],
    }));
    return server;
  });
  const answer = toNodeHandler(handler);
  app.use(legate(toolServer));
  app.all('/mcp', requireAccessToken(toolServer), (req, res) => void answer(req, res));

  return {
    resource,
    sculpture: () => new Promise((resolve) => waiting.push(resolve)),
    async stop() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((onResolved) => {
    resolve = onResolved;
  });
  return { promise, resolve };
}
