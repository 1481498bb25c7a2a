import { serve } from '@hono/node-server';
import { createToolServer } from '@legate/tool-server';
import { legate, requireAccessToken } from '@legate/tool-server/hono';
import { createMcpHandler, originValidationResponse } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { createNotesServer, SCOPES } from './notes.ts';

const {
  PORT = '8080',
  RESOURCE = `http://localhost:${PORT}`,
  ISSUER = 'http://localhost:4002',
} = process.env;

const toolServer = await createToolServer({
  name: 'Notes on Hono',
  resource: RESOURCE,
  trustedIssuers: [ISSUER],
  clients: [{ clientId: 'tool-hub', secret: process.env.HUB_SECRET }],
  scopes: SCOPES,
});
const mcp = createMcpHandler(createNotesServer);

const app = new Hono();
app.use(legate(toolServer));
app.use(
  '/mcp',
  async (c, next) => originValidationResponse(c.req.raw, [new URL(RESOURCE).hostname]) ?? next(),
);
app.all('/mcp', requireAccessToken(toolServer), (c) => mcp.fetch(c.req.raw, { authInfo: c.get('auth') }));
serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' }, () =>
  process.stdout.write(`Listening at ${RESOURCE}/mcp\n`),
);
