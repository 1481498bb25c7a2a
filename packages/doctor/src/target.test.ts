import { expect, it } from '@jest/globals';
import { targetOf } from './target.ts';

it.each([
  ['https://a.example', 'https://a.example/mcp', ['https://a.example', 'https://a.example/mcp']],
  ['https://a.example/mcp', 'https://a.example/mcp', ['https://a.example/mcp', 'https://a.example']],
  ['https://a.example/t/mcp', 'https://a.example/t/mcp', ['https://a.example/t/mcp', 'https://a.example/t']],
])('treats %s as a server at %s', (url, mcpUrl, resources) => {
  expect(targetOf(url)).toMatchObject({ mcpUrl, resources });
});
