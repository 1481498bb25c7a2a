import { createServer } from 'node:http';
import { toNodeListener } from '@legate/tool-server/node';
import { exercise, listen } from './exercise.mjs';

await exercise('node:http', (toolServer) => {
  const notes = async (_request, { authInfo }) => Response.json({ notesOf: authInfo.extra.sub });
  return listen(createServer(toNodeListener(toolServer.router({ '/notes': notes }))));
});
