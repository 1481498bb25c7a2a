import { legate } from '@legate/tool-server/fastify';
import fastify from 'fastify';
import { exercise } from './exercise.mjs';

const app = fastify();
await exercise(`Fastify ${app.version}`, async (toolServer) => {
  await app.register(legate, { toolServer });
  app.get('/notes', { preHandler: app.requireAccessToken() }, async (request) => ({
    notesOf: request.auth.extra.sub,
  }));
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), stop: () => app.close() };
});
