import { beforeEach, expect, it } from '@jest/globals';
import type { ToolServer } from '../../oauth-peers/discovery/discover-tool-server.ts';
import { requestToken } from '../../oauth-peers/token-request.ts';
import type { IdJagSettings } from './settings.ts';
import { createToolServerClients } from './tool-server-clients.ts';

const settings = (clientSecret: string): IdJagSettings => ({
  method: 'id-jag',
  clientId: 'hub',
  clientAuth: { method: 'client_secret', clientSecret },
  issuer: undefined,
  audience: undefined,
});
const toolServer: ToolServer = {
  issuer: 'https://tools.example',
  audience: 'https://tools.example',
  tokenEndpoint: 'https://tools.example/token',
  authMethods: undefined,
  scopesSupported: [],
  maxAgeSeconds: 60,
};

let sent: { readonly url: string; readonly secret: string | null }[];
beforeEach(() => {
  sent = [];
});
const clientsOf = () =>
  createToolServerClients(async (url, init) => {
    sent.push({ url: String(url), secret: new URLSearchParams(String(init?.body)).get('client_secret') });
    return Response.json({ access_token: 'at', token_type: 'Bearer' });
  });

it('creates one client for the same settings and metadata', async () => {
  const clients = clientsOf();
  const own = settings('secret');
  expect(await clients(own, toolServer)).toBe(await clients(own, toolServer));
});

it('uses the new secret, and the new metadata, at once after a change', async () => {
  const clients = clientsOf();
  const moved = { ...toolServer, tokenEndpoint: 'https://tools.example/v2/token' };
  const [before, after] = [settings('old'), settings('new')];
  for (const [own, at] of [
    [before, toolServer],
    [after, toolServer],
    [after, moved],
  ] as const) {
    const client = await clients(own, at);
    if (client) await requestToken(client, 'client_credentials', {});
  }
  expect(sent).toEqual([
    { url: toolServer.tokenEndpoint, secret: 'old' },
    { url: toolServer.tokenEndpoint, secret: 'new' },
    { url: moved.tokenEndpoint, secret: 'new' },
  ]);
});

it('returns no client for a private key that cannot be used', async () => {
  const privateJwk = { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' };
  const own = { ...settings(''), clientAuth: { method: 'private_key_jwt', privateJwk } } as const;
  expect(await clientsOf()(own, toolServer)).toBeUndefined();
});
