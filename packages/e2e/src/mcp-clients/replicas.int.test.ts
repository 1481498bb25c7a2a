import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exchange, member, scene, text } from '@legate/dev';
import { type RedisClusterProcesses, startRedisCluster } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { openPostgres } from '../postgres-process.ts';
import { type ScaledStack, startScaledStack } from '../scale-out-stack.ts';
import { MemoryProvider, SDKS, signInThrough } from './sdks.ts';

/** Tests two hubs behind one URL, on one Redis Cluster: an MCP client does not notice which of them responds. */

const { describe, path } = needs('night', 'Redis', 'PostgreSQL');

let postgres: Awaited<ReturnType<typeof openPostgres>>;
let cluster: RedisClusterProcesses;
let stack: ScaledStack;
let hubs: string[];

const [[, sdk]] = SDKS;

/** Signs Alice in through the address of both. */
async function signIn(): Promise<MemoryProvider> {
  const provider = new MemoryProvider();
  const url = new URL(`${stack.urls['tool-hub']}/mcp`);
  await expect(sdk.open(url, provider)).rejects.toBeInstanceOf(sdk.Unauthorized);
  await signInThrough(sdk, url, provider, scene.USERS.alice.email);
  return provider;
}

const formOf = (provider: MemoryProvider, form: Record<string, string>) => ({
  form: { client_id: provider.clientInformation()?.client_id ?? '', ...form },
});
const refresh = (hub: string, provider: MemoryProvider) =>
  exchange(
    'POST',
    `${hub}/oauth/token`,
    formOf(provider, {
      grant_type: 'refresh_token',
      refresh_token: provider.tokens()?.refresh_token ?? '',
    }),
  );
const listTools = (hub: string, token: string) =>
  exchange(
    'POST',
    `${hub}/mcp`,
    { json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } },
    {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-06-18',
    },
  );

describe('an MCP client of two hubs', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { fullCoverage: false });
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    stack = await startScaledStack({ databaseUrl: postgres.url, redisUrl: cluster.url });
    hubs = stack.replicas['tool-hub'].map(({ url }) => url);
  });

  afterAll(async () => {
    await stack?.stop();
    await cluster?.remove();
    await postgres?.remove();
  });

  it('signs its user in whichever hub gets each request, and both hubs then know the client', async () => {
    const provider = await signIn();
    const token = provider.tokens()?.access_token ?? '';
    const answers = await Promise.all(hubs.map((hub) => listTools(hub, token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const ofSignIn = stack.proxies['tool-hub'].forwarded.filter(({ path }) => path.startsWith('/oauth/'));
    expect(new Set(ofSignIn.map(({ replica }) => replica)).size).toBe(2);
  });

  it('gets one successor for a refresh token that is sent to both at the same time, ten times', async () => {
    const provider = await signIn();
    const raced = Array.from({ length: 10 }, (_, index) => refresh(hubs[index % 2] ?? '', provider));
    const answers = await Promise.all(raced);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const successors = new Set(answers.map(({ answer }) => text(answer, 'refresh_token')));
    expect(successors.size).toBe(1);
    const [answered] = answers;
    const used = await Promise.all(hubs.map((hub) => listTools(hub, text(answered?.answer, 'access_token'))));
    expect(used.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('is refused by one hub as soon as it is revoked at the other', async () => {
    const provider = await signIn();
    const token = provider.tokens()?.access_token ?? '';
    expect((await listTools(hubs[1] ?? '', token)).status).toBe(200);
    const revoked = await exchange(
      'POST',
      `${hubs[0]}/oauth/revoke`,
      formOf(provider, { token: provider.tokens()?.refresh_token ?? '' }),
    );
    expect(revoked.status).toBe(200);
    const refused = await listTools(hubs[1] ?? '', token);
    expect(refused.status).toBe(401);
    const again = await refresh(hubs[1] ?? '', provider);
    expect([again.status, member(again.answer, 'error')]).toEqual([400, 'invalid_grant']);
  });
});
