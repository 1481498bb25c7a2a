import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { legate, requireAccessToken } from '@legate/tool-server/express';
import express from 'express';
import { exercise, listen } from './exercise.mjs';

const { version } = createRequire(import.meta.url)('express/package.json');
await exercise(`Express ${version}`, (toolServer) => {
  const app = express();
  app.use(legate(toolServer));
  app.get('/notes', requireAccessToken(toolServer), (req, res) => res.json({ notesOf: req.auth.extra.sub }));
  return listen(createServer(app));
});
