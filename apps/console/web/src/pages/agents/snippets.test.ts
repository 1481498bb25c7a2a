import { expect, it } from '@jest/globals';
import { snippetsOf } from './snippets.ts';

it('names the hub’s endpoint and the agent', () => {
  const { json, claude } = snippetsOf('https://hub.example/', 'agt_1');
  expect(JSON.parse(json)).toEqual({
    mcpServers: {
      legate: { type: 'http', url: 'https://hub.example/mcp', headers: { 'Legate-Agent-Id': 'agt_1' } },
    },
  });
  expect(claude).toBe(
    'claude mcp add --transport http legate https://hub.example/mcp --header "Legate-Agent-Id: agt_1"',
  );
});
