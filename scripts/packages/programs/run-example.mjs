// Runs the example that is given, with the address of a tool server as its argument.
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createToolServer } from '@legate/tool-server';
import { toNodeListener } from '@legate/tool-server/node';
import { listen } from './exercise.mjs';

let handle;
const { url, stop } = await listen(createServer((req, res) => handle(req, res)));
const toolServer = await createToolServer({
  resource: url,
  trustedIssuers: ['https://idp.example'],
  clients: [{ clientId: 'tool-hub', secret: 'a-secret-of-the-hub-for-a-test-only' }],
  scopes: ['notes:read'],
  log: {
    info() {},
    warn() {},
    error: (fields, message) => process.stderr.write(`${message} ${fields.err}\n`),
  },
});
handle = toNodeListener(toolServer.router({ '/mcp': async () => Response.json({}) }));
const [example] = process.argv.splice(2, 1, `${url}/mcp`);
await import(pathToFileURL(example));
await stop();
