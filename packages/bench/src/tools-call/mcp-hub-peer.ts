/**
 * mcp-hub, as its command starts it, with the tool server in its configuration. It sends one access token for
 * everyone. Its files are in a folder that is removed at the end.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delegate, NOBODY } from './delegate.ts';
import { CONNECTOR_ID, WORLD_PATHS } from './scene.ts';

const { PORT = '0', WORLD_ORIGIN = '' } = process.env;

const home = mkdtempSync(join(tmpdir(), 'legate-bench-mcp-hub-'));
process.env.HOME = home;
process.once('exit', () => rmSync(home, { recursive: true, force: true }));

const configFile = join(home, 'servers.json');
const server = {
  url: `${WORLD_ORIGIN}${WORLD_PATHS.mcp}`,
  headers: { Authorization: `Bearer ${await delegate(WORLD_ORIGIN, NOBODY)}` },
};
writeFileSync(configFile, JSON.stringify({ mcpServers: { [CONNECTOR_ID]: server } }));

// A catalog of the last hour, as otherwise it would be downloaded at start.
const cache = join(home, '.local', 'share', 'mcp-hub', 'cache');
mkdirSync(cache, { recursive: true });
const catalog = { registry: { servers: [{ id: CONNECTOR_ID }] }, lastFetchedAt: Date.now() };
writeFileSync(join(cache, 'registry.json'), JSON.stringify({ ...catalog, serverDocumentation: {} }));

// It would listen at all addresses, and it has no option for that.
const { listen } = Server.prototype;
Object.assign(Server.prototype, {
  listen(this: Server, port: number, onListening: () => void) {
    return listen.call(this, { port, host: '127.0.0.1' }, onListening);
  },
});

process.argv.push('--port', PORT, '--config', configFile);
await import(import.meta.resolve('mcp-hub'));
