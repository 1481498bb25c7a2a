import { type Logger, traceMcpMessage } from '@legate/service';
import type { ToolServer } from '@legate/tool-server';
import { requireAccessToken } from '@legate/tool-server/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { type Request, type Response, Router } from 'express';
import type { NoteStore } from '../notes/store.ts';
import { registerNotes } from '../notes/tools.ts';
import type { Sites } from '../sites/sites.ts';
import { registerSites } from '../sites/tools.ts';
import { registerWhoami } from '../tools/whoami.ts';
import { mcpBody, mcpErrorHandler } from './body.ts';
import { guardOrigins } from './browser-origins.ts';
import { countRunningRequests } from './open-streams.ts';

/**
 * Routes of the MCP endpoint, for both protocol revisions, without sessions: every request has its token and gets a new
 * server, so any replica can handle it. Each tool declares the scope that it needs; the SDK sends the challenge.
 */
export function createMcpRoutes(deps: {
  toolServer: ToolServer;
  allowedOrigins: readonly string[];
  notes: NoteStore;
  sites: Sites | undefined;
  version: string;
  log: Logger;
}) {
  const { toolServer, allowedOrigins, notes, sites, log } = deps;

  function createServer(authInfo: AuthInfo | undefined): McpServer {
    const server = new McpServer(
      { name: 'legate-reference-mcp-server', title: 'Legate reference tool server', version: deps.version },
      {
        capabilities: { tools: { listChanged: false } },
        // The same list for everyone, but private because it requires a token.
        cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
      },
    );
    registerWhoami(server, { accessTokenIssuer: toolServer.endpoints.token, authInfo, log });
    registerNotes(server, { notes, authInfo, log });
    if (sites) registerSites(server, { sites, authInfo, log });
    return server;
  }

  const handler = createMcpHandler(({ authInfo }) => createServer(authInfo), {
    onerror: (err) => log.debug({ err }, 'mcp'),
  });
  /** Handles a request. If the caller disconnects, the request ends with an error, which is not a failure. */
  const answer = (req: Request, res: Response) =>
    toNodeHandler(handler, {
      onerror: (err) => log[req.socket.destroyed ? 'debug' : 'error']({ err }, 'mcp request failed'),
    })(req, res, req.body);

  const running = countRunningRequests();
  const { resource } = toolServer.endpoints;
  const origins = [new URL(resource).origin, ...allowedOrigins];
  const router = Router();
  router
    .route('/mcp')
    .all(guardOrigins(resource, origins))
    .all(
      requireAccessToken(toolServer),
      mcpBody(),
      running.count,
      traceMcpMessage,
      // After a disconnect there is no body to read and no client to respond to.
      (req, res) => (res.destroyed ? undefined : answer(req, res)),
    );
  router.use(mcpErrorHandler(log));
  return {
    router,
    /**
     * Ends the open subscription streams, which would delay a shutdown, once no other request runs. Call it when the
     * server accepts no new requests, because they would be refused.
     */
    async close(): Promise<void> {
      await running.untilOnlyStreams();
      await handler.close();
    },
  };
}
