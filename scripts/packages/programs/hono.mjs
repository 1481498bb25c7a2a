import { createAdaptorServer } from '@hono/node-server';
import { legate, requireAccessToken } from '@legate/tool-server/hono';
import { Hono } from 'hono';
import { exercise, listen } from './exercise.mjs';

await exercise('Hono', (toolServer) => {
  const app = new Hono();
  app.use(legate(toolServer));
  app.use('/notes', requireAccessToken(toolServer));
  app.get('/notes', (c) => c.json({ notesOf: c.get('auth').extra.sub }));
  return listen(createAdaptorServer(app));
});
