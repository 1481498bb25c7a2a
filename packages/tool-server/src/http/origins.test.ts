import { expect, it } from '@jest/globals';
import { createOriginCheck } from './origins.ts';

const REMOTE = 'https://tools.example/mcp';
const LOCAL = 'http://localhost:8080';

it.each<[string, string, readonly string[] | 'any', string | undefined, boolean]>([
  ['a program', REMOTE, [], undefined, true],
  ['its own page', REMOTE, [], 'https://tools.example', true],
  ['an allowed page', REMOTE, ['https://app.example/'], 'https://app.example', true],
  ['any page, where the application checks itself', REMOTE, 'any', 'https://evil.example', true],
  ['another page', REMOTE, ['https://app.example'], 'https://evil.example', false],
  ['a page of another port', REMOTE, [], 'https://tools.example:8443', false],
  ['a page of another scheme', REMOTE, [], 'http://tools.example', false],
  ['a page of a longer name', REMOTE, [], 'https://tools.example.evil.example', false],
  ['a page without an origin', REMOTE, [], 'null', false],
  [
    'a page without an origin, where one of an editor is allowed',
    REMOTE,
    ['vscode-webview://a1'],
    'null',
    false,
  ],
  ['an allowed page of an editor', REMOTE, ['vscode-webview://a1'], 'vscode-webview://a1', true],
  ['an empty origin', REMOTE, [], '', false],
  ['a page of this machine, at a server elsewhere', REMOTE, [], 'http://localhost:3000', false],
  ['a page of this machine, at a server here', LOCAL, [], 'http://127.0.0.1:3000', true],
  ['a page elsewhere, at a server here', LOCAL, [], 'https://evil.example', false],
  ['a page whose name begins as this machine', LOCAL, [], 'http://localhost.evil.example', false],
])('accepts or refuses: %s', async (_case, resource, allowed, origin, isLetPass) => {
  const headers = new Headers(origin === undefined ? {} : { Origin: origin });
  const refused = createOriginCheck(resource, allowed)({ headers });
  expect(refused?.status).toBe(isLetPass ? undefined : 403);
  if (refused) expect(await refused.json()).toMatchObject({ error: { code: -32000 } });
});
