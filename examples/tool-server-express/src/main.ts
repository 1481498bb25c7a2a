import { createToolServer } from '@legate/tool-server';
import { legate, requireAccessToken } from '@legate/tool-server/express';
import { originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import express from 'express';
import { createNotesServer, SCOPES } from './notes.ts';

const {
  PORT = '8080',
  RESOURCE = `http://localhost:${PORT}`,
  ISSUER = 'http://localhost:4002',
} = process.env;

const toolServer = await createToolServer({
  name: 'Notes on Express',
  resource: RESOURCE,
  trustedIssuers: [ISSUER],
  clients: [{ clientId: 'tool-hub', secret: process.env.HUB_SECRET }],
  scopes: SCOPES,
});
const isOriginAllowed = originValidation([new URL(RESOURCE).hostname]);
const handle = toNodeHandler(createMcpHandler(createNotesServer));

const app = express();
app.use(legate(toolServer));
app.use('/mcp', (req, res, next) => {
  if (isOriginAllowed(req, res)) next(); // otherwise it has answered with 403
});
app.all('/mcp', requireAccessToken(toolServer), (req, res) => void handle(req, res));
app.listen(Number(PORT), 'localhost', (err?: Error) => {
  if (err) throw err; // Express 5 calls this with the error, Express 4 only without one
  process.stdout.write(`Listening at ${RESOURCE}/mcp\n`);
});
