import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createToolServer } from '@legate/tool-server';
import { legate, requireAccessToken } from '@legate/tool-server/express';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  McpServer,
} from '@modelcontextprotocol/server';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { createEventLog } from './event-log.ts';
import { registerPrompts, registerResources, registerTools } from './everything-contents.ts';
import { registerOldQuestions } from './everything-old-questions.ts';
import { registerQuestions, stateCodec } from './everything-questions.ts';

export interface EverythingServer {
  /** URL that requires an access token; the hub's connector has this URL. */
  readonly resource: string;
  /** The URL of a server with the same contents that needs no token, for the suite itself. */
  readonly openUrl: string;
  stop(): Promise<void>;
}

/** Starts a tool server with everything that the conformance suite tests, in every revision of the protocol. */
export async function startEverythingServer(options: {
  issuer: string;
  clientSecret: string;
}): Promise<EverythingServer> {
  const app = express();
  const http = createServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const resource = `http://localhost:${(http.address() as AddressInfo).port}`;

  const toolServer = await createToolServer({
    resource,
    trustedIssuers: [options.issuer],
    clients: [{ clientId: 'tool-hub', secret: options.clientSecret }],
    scopes: ['mcp:tools:read', 'mcp:tools:call'],
    log: { info() {}, warn() {}, error() {} },
  });
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const modern: McpHttpHandler = createMcpHandler(() => createEverything({ sessions, modern: () => modern }));
  const answerModern = toNodeHandler(modern);

  const answer = async (req: Request, res: Response) => {
    const [version, method] = [req.get('mcp-protocol-version'), req.get('mcp-method')];
    const inbound = classifyInboundRequest({
      httpMethod: req.method,
      body: req.body,
      ...(version && { protocolVersionHeader: version }),
      ...(method && { mcpMethodHeader: method }),
    });
    if (req.method === 'POST' && inbound.kind !== 'legacy') {
      await answerModern(req, res, req.body);
      return;
    }
    const id = req.get('mcp-session-id');
    let transport = sessions.get(id ?? '');
    if (!id && isInitializeRequest(req.body)) {
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: createEventLog(),
        retryInterval: 500,
        onsessioninitialized: (begun) =>
          void sessions.set(begun, transport as NodeStreamableHTTPServerTransport),
        onsessionclosed: (ended) => void sessions.delete(ended),
      });
      await createEverything({ sessions, modern: () => modern }).connect(transport);
    }
    if (transport) return transport.handleRequest(req, res, req.body);
    const error = { code: -32_001, message: id ? 'Session not found' : 'Session required' };
    res.status(id ? 404 : 400).json({ jsonrpc: '2.0', id: null, error });
  };

  app.use(legate(toolServer));
  app.use(express.json());
  app.all('/mcp', requireAccessToken(toolServer), (req, res) => void answer(req, res));
  const isLocal = [localhostHostValidation(), localhostOriginValidation()];
  app.all('/open', (req, res) => {
    if (isLocal.every((validate) => validate(req, res))) void answer(req, res);
  });

  return {
    resource,
    openUrl: `${resource}/open`,
    async stop() {
      for (const transport of sessions.values()) await transport.close();
      await modern.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** One server of the SDK: each session of an older revision has its own, and each modern request. */
function createEverything(deps: {
  sessions: ReadonlyMap<string, NodeStreamableHTTPServerTransport>;
  modern: () => McpHttpHandler;
}): McpServer {
  const changing = { listChanged: true };
  const server = new McpServer(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: {
        tools: changing,
        prompts: changing,
        resources: { ...changing, subscribe: true },
        logging: {},
        completions: {},
      },
      instructions: 'Has one of everything.',
      requestState: { verify: stateCodec.verify },
    },
  );
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
  registerQuestions(server);
  registerOldQuestions(server);

  const nothing = { description: 'Changes something, or goes away', inputSchema: z.object({}) };
  const changed = (notify: (handler: McpHttpHandler) => void) => () => {
    notify(deps.modern());
    return { content: [{ type: 'text' as const, text: 'changed' }] };
  };
  server.registerTool(
    'test_trigger_tool_change',
    nothing,
    changed((handler) => handler.notify.toolsChanged()),
  );
  server.registerTool(
    'test_trigger_prompt_change',
    nothing,
    changed((handler) => handler.notify.promptsChanged()),
  );
  server.registerTool('test_reconnection', nothing, async (_args, { sessionId, mcpReq }) => {
    deps.sessions.get(sessionId ?? '')?.closeSSEStream(mcpReq.id);
    return { content: [{ type: 'text', text: 'the client came back' }] };
  });
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.server.setRequestHandler('logging/setLevel', () => ({}));
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  return server;
}
