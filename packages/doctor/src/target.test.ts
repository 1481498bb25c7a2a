import { expect, it } from '@jest/globals';
import { targetOf } from './target.ts';

const A = 'https://a.example';
it.each([
  [A, `${A}/mcp`, [A, `${A}/mcp`]],
  [`${A}/`, `${A}/`, [`${A}/`, A]],
  [`${A}/mcp`, `${A}/mcp`, [`${A}/mcp`, A]],
  [`${A}/mcp/`, `${A}/mcp/`, [`${A}/mcp/`, `${A}/mcp`, A]],
  [`${A}/mcp?project=42`, `${A}/mcp?project=42`, [`${A}/mcp?project=42`, `${A}/mcp`, A]],
  [`${A}/http`, `${A}/http`, [`${A}/http`, A]],
  [`${A}/t/mcp`, `${A}/t/mcp`, [`${A}/t/mcp`, `${A}/t`, A]],
])('treats %s as a server at %s', (url, mcpUrl, resources) => {
  expect(targetOf(url)).toMatchObject({ mcpUrl, resources });
});

it.each([
  [A, [`${A}/`]],
  [`${A}/`, [`${A}/mcp`]],
  [`${A}/http`, [`${A}/http/mcp`, `${A}/mcp`, `${A}/`]],
  [`${A}/http?a=1`, [`${A}/http/mcp?a=1`, `${A}/mcp?a=1`, `${A}/?a=1`]],
])('looks for the endpoint of %s also at %j', (url, otherEndpoints) => {
  expect(targetOf(url)).toMatchObject({ otherEndpoints });
});
