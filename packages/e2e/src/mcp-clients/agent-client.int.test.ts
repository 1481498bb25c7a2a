import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, member, scene, signIn, text } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { MemoryProvider, SDKS, signInThrough } from './sdks.ts';

const { describe, it } = needs('time');

/** Tests a client that an organization registers for an agent: sessions of this client have the agent's permissions. */

let stack: StackUnderTest;
let agent: string;
let clients: string;
let asOwner: Record<string, string>;
const manage = (method: string, path: string, json?: object) =>
  exchange(method, `${stack.urls['management-api']}/api/v1${path}`, json ? { json } : {}, asOwner);

beforeAll(async () => {
  stack = await startStackUnderTest();
  const resource = stack.urls['management-api'];
  const owner = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.alice.email, resource });
  asOwner = { Authorization: `Bearer ${owner.accessToken}` };
  agent = text((await manage('POST', '/agents', { name: 'Desk', status: 'active' })).answer, 'id');
  await manage('PUT', `/agents/${agent}/connectors/${scene.CONNECTOR}`, { tools: ['whoami'] });
  clients = `/agents/${agent}/clients`;
});
afterAll(() => stack?.stop());

const mcpUrl = () => new URL(`${stack.urls['tool-hub']}/mcp`);

async function register(method: string): Promise<{ id: string; provider: MemoryProvider }> {
  const { answer } = await manage('POST', clients, {
    name: 'Desk of Acme',
    redirect_uris: ['http://localhost:6274/oauth/callback'],
    token_endpoint_auth_method: method,
  });
  const secret = member(answer, 'client_secret');
  const provider = new MemoryProvider({
    client_id: text(answer, 'client_id'),
    ...(typeof secret === 'string' && { client_secret: secret }),
  });
  return { id: text(answer, 'id'), provider };
}

/** The hub is notified of the end a moment later. */
async function untilRefused(token: string): Promise<void> {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' };
  const ask = async () => (await exchange('POST', mcpUrl().href, { json }, headers)).status;
  await eventually('the token to be refused', ask, { pauseMs: 100, until: (status) => status === 401 });
}

describe.each(SDKS)('a client of the official SDK, version %s,', (_version, sdk) => {
  it.each(['none', 'client_secret_basic'])(
    'that is an agent has its tools alone, with %s, until it is removed',
    async (method) => {
      const { id, provider } = await register(method);
      await expect(sdk.open(mcpUrl(), provider)).rejects.toBeInstanceOf(sdk.Unauthorized);
      await signInThrough(sdk, mcpUrl(), provider, scene.USERS.bob.email);
      const client = await sdk.open(mcpUrl(), provider);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['reference_whoami']);
      expect(JSON.stringify(await client.callTool({ name: 'reference_whoami', arguments: {} }))).toContain(
        'user_bob',
      );
      await client.close();

      expect((await manage('DELETE', `${clients}/${id}`)).status).toBe(204);
      await untilRefused(provider.tokens()?.access_token ?? '');
      const form = {
        grant_type: 'refresh_token',
        refresh_token: provider.tokens()?.refresh_token ?? '',
        client_id: provider.clientInformation()?.client_id ?? '',
        client_secret: provider.clientInformation()?.client_secret ?? '',
      };
      const refreshed = await exchange('POST', `${stack.urls['tool-hub']}/oauth/token`, { form });
      // The hub may cache the client's registration for half a minute, but not its session.
      expect(['invalid_grant', 'invalid_client']).toContain(member(refreshed.answer, 'error'));
    },
  );
});

it('cannot be used by users of another organization', async () => {
  const [[, sdk]] = SDKS;
  const { provider } = await register('none');
  await expect(sdk.open(mcpUrl(), provider)).rejects.toBeInstanceOf(sdk.Unauthorized);
  await expect(signInThrough(sdk, mcpUrl(), provider, scene.USERS.carol.email)).rejects.toThrow();
  expect(provider.tokens()).toBeUndefined();
});
