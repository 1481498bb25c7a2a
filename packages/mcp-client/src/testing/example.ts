import { setTimeout as wait } from 'node:timers/promises';
import { createMcpClient } from '@legate/mcp-client';
import { Agent } from 'undici';

const send = createMcpClient({
  client: { name: 'example', version: '1.0.0' },
  dispatcher: new Agent(), // where users choose the URL: one that refuses private addresses
  pause: () => wait(100),
  clock: () => new Date(),
  maxBytes: 1_048_576,
  onListChanged: () => {},
  noMemory: () => new Error('out of memory'),
});

export const whoami = (url: string, userId: string, accessToken: string) =>
  send(
    {
      url,
      credential: { kind: 'access_token', accessToken },
      owner: userId,
      deadline: performance.now() + 10_000,
    },
    { method: 'tools/call', name: 'whoami', params: '{"name":"whoami","arguments":{}}' },
  );
