/**
 * mcp-proxy in front of one tool server, by its functions, because its command starts servers on stdio only. It checks
 * the ID token as the other peer does, and sends one access token for everyone. It knows one server, so tools keep their names.
 */
import { Server } from '@modelcontextprotocol/server';
import { proxyServer, startHTTPServer } from 'mcp-proxy';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { createCallerOf } from '../tools-call/caller-of.ts';
import { delegate, NOBODY } from '../tools-call/delegate.ts';
import { WORLD_PATHS } from '../tools-call/scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;
const callerOf = createCallerOf(WORLD_ORIGIN);
const accessToken = await delegate(WORLD_ORIGIN, NOBODY);
const client = await connectSdkClient(`${WORLD_ORIGIN}${WORLD_PATHS.mcp}`, {
  token: async () => accessToken,
});

const info = { name: 'bench-proxy', version: '1.0.0' };
const serverCapabilities = { tools: {} };

await startHTTPServer({
  host: '127.0.0.1',
  port: Number(PORT),
  authenticate: (req) => callerOf(req.headers.authorization),
  async createServer() {
    const server = new Server(info, { capabilities: serverCapabilities });
    await proxyServer({ client, server, serverCapabilities });
    return server;
  },
});
