import { createToolServer } from '@legate/tool-server';
import { legate } from '@legate/tool-server/fastify';
import { originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import fastify from 'fastify';
import { createNotesServer, SCOPES } from './notes.ts';

const {
  PORT = '8080',
  RESOURCE = `http://localhost:${PORT}`,
  ISSUER = 'http://localhost:4002',
} = process.env;

const toolServer = await createToolServer({
  name: 'Notes on Fastify',
  resource: RESOURCE,
  trustedIssuers: [ISSUER],
  clients: [{ clientId: 'tool-hub', secret: process.env.HUB_SECRET }],
  scopes: SCOPES,
});
const isOriginAllowed = originValidation([new URL(RESOURCE).hostname]);
const handle = toNodeHandler(createMcpHandler(createNotesServer));

const app = fastify();
await app.register(legate, { toolServer });
app.route({
  method: ['GET', 'POST', 'DELETE'],
  url: '/mcp',
  onRequest: [
    async (request, reply) => {
      if (!isOriginAllowed(request.raw, reply.raw)) reply.hijack(); // it has answered with 403
    },
    app.requireAccessToken(),
  ],
  async handler(request, reply) {
    reply.hijack(); // the SDK writes the answer, which may be a stream
    await handle(Object.assign(request.raw, { auth: request.auth }), reply.raw, request.body);
  },
});
await app.listen({ port: Number(PORT), host: 'localhost' });
process.stdout.write(`Listening at ${RESOURCE}/mcp\n`);
