import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { exchange, scene, signIn } from '@legate/dev';
import { needs } from '@legate/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';
import { PAINTING, type Studio, startStudio } from './studio.ts';

/** Agents of several users, with the official client, at the hub's `/mcp` for three tool servers, one of which is down. */

const { describe } = needs('time');
const CLIENT_SECRET = 'tool-hub-at-studio-secret';

let stack: StackUnderTest;
let studio: Studio;
let directory: string;
let tokens: Record<'alice' | 'bob' | 'carol' | 'dave', string>;
const clients: Client[] = [];

beforeAll(async () => {
  const ports = await freeServicePorts();
  const issuer = `http://localhost:${ports['mock-idp']}`;
  const reference = `http://localhost:${ports['reference-mcp-server']}`;
  studio = await startStudio({ issuer, clientSecret: CLIENT_SECRET });
  directory = await mkdtemp(join(tmpdir(), 'legate-connectors-'));
  const file = join(directory, 'connectors.json');
  await writeFile(file, JSON.stringify(connectors(reference, studio.resource)));
  stack = await startStackUnderTest({
    ports,
    env: { 'tool-hub': { CONNECTORS_FILE: file, MANAGEMENT_API_URL: '' } },
  });
  await exchange(
    'POST',
    `${issuer}/admin/resource-servers`,
    {
      json: {
        accepts: 'id_jag',
        resource: studio.resource,
        scopes: scene.SCOPES,
        clients: { 'tool-hub': { client_id: 'tool-hub' } },
      },
    },
    { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
  );
  const idTokenOf = async ({ email }: { email: string }) => (await signIn({ issuer, email })).idToken;
  const { alice, bob, carol, dave } = scene.USERS;
  tokens = {
    alice: await idTokenOf(alice),
    bob: await idTokenOf(bob),
    carol: await idTokenOf(carol),
    dave: await idTokenOf(dave),
  };
});

afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
afterAll(async () => {
  await stack?.stop();
  await studio?.stop();
  if (directory) await rm(directory, { recursive: true });
});

function connectors(reference: string, own: string) {
  const common = {
    auth_method: 'id-jag',
    client_id: 'tool-hub',
    organization_ids: ['org_acme'],
    scopes: scene.SCOPES,
  };
  const secret = 'tool-hub-at-reference-dev-secret';
  return {
    connectors: [
      { ...common, id: 'studio', name: 'Studio', resource: own, client_secret: CLIENT_SECRET },
      {
        ...common,
        id: 'reference',
        name: 'Reference',
        resource: reference,
        client_secret: secret,
        organization_ids: ['org_acme', 'org_globex'],
      },
      { ...common, id: 'away', name: 'Away', resource: 'http://localhost:1', client_secret: secret },
    ],
  };
}

async function connect(era: 'modern' | 'legacy', user: keyof typeof tokens, path = '/mcp'): Promise<Client> {
  const mode = era === 'modern' ? ('auto' as const) : ('legacy' as const);
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${stack.urls['tool-hub']}${path}`), {
      authProvider: { token: async () => tokens[user] },
    }),
  );
  expect(client.getProtocolEra()).toBe(era);
  return client;
}
const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);
const textOf = ({ content }: { content: unknown }) => JSON.stringify(content);

describe.each(['modern', 'legacy'] as const)('an agent of the %s revision', (era) => {
  it('sees the tools of all connectors of its user, and which connector is missing', async () => {
    const alice = await connect(era, 'alice');
    const listed = await alice.listTools();
    expect(namesOf(listed)).toEqual(
      expect.arrayContaining(['reference_whoami', 'reference_create_note', 'studio_paint']),
    );
    expect(await alice.listTools()).toEqual(listed);
    expect(listed._meta?.['legate/left_out']).toEqual([
      { connector_id: 'away', code: 'tool_server_unavailable' },
    ]);
    const carol = await connect(era, 'carol');
    expect(namesOf(await carol.listTools()).filter((name) => !name.startsWith('reference_'))).toEqual([]);
    await expect(carol.callTool({ name: 'studio_paint', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('acts as its user, and sees no data of other users', async () => {
    const [alice, bob] = [await connect(era, 'alice'), await connect(era, 'bob')];
    const secret = `a secret of Alice, ${era}`;
    const who = await alice.callTool({ name: 'reference_whoami', arguments: {} });
    expect(who.structuredContent).toMatchObject({ subject: 'user_alice', organization_id: 'org_acme' });
    await alice.callTool({ name: 'reference_create_note', arguments: { text: secret } });
    const list = { name: 'reference_list_notes', arguments: {} };
    expect(textOf(await alice.callTool(list))).toContain(secret);
    expect(textOf(await bob.callTool(list))).not.toContain(secret);
  });

  it('gets an error of the tool if the connector is down', async () => {
    const alice = await connect(era, 'alice');
    const failed = await alice.callTool({ name: 'away_anything', arguments: {} });
    expect([failed.isError, failed._meta?.['legate/problem']]).toEqual([
      true,
      expect.objectContaining({ code: 'tool_server_unavailable', connector_id: 'away' }),
    ]);
  });

  it('gets images and structured content as they were sent', async () => {
    const alice = await connect(era, 'alice');
    const { content, structuredContent } = await alice.callTool({ name: 'studio_paint', arguments: {} });
    expect(JSON.stringify({ content, structuredContent })).toBe(JSON.stringify(PAINTING));
  });

  it('gets progress notifications before the result', async () => {
    const alice = await connect(era, 'alice');
    const seen: unknown[] = [];
    const begun = studio.sculpture();
    const result = await alice.callTool(
      { name: 'studio_sculpt', arguments: {} },
      {
        onprogress(progress) {
          seen.push(progress);
          begun.then((sculpture) => sculpture.finish()); // the tool returns no result before this
        },
      },
    );
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half done' }]);
    expect(textOf(result)).toContain('for user_alice');
  });

  it('ends the work of the tool server when the call is cancelled', async () => {
    const alice = await connect(era, 'alice');
    const gone = new AbortController();
    const begun = studio.sculpture();
    const outcome = alice
      .callTool({ name: 'studio_sculpt', arguments: {} }, { signal: gone.signal })
      .catch(() => 'cancelled');
    const { cancelled } = await begun;
    gone.abort();
    await cancelled;
    expect(await outcome).toBe('cancelled');
  });

  it('reads resources and gets prompts, whose links refer to their connector', async () => {
    const alice = await connect(era, 'alice');
    const { resources } = await alice.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['legate://studio/studio://catalogue']);
    const { contents } = await alice.readResource({ uri: resources[0]?.uri ?? '' });
    expect(contents).toMatchObject([{ uri: resources[0]?.uri, text: 'catalogue of user_alice' }]);
    const prompt = await alice.getPrompt({ name: 'studio_critique', arguments: { work: 'Ciel' } });
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Judge Ciel.' });
  });

  it('can also use a single connector', async () => {
    const bob = await connect(era, 'bob', '/mcp/reference');
    expect(namesOf(await bob.listTools())).toContain('whoami');
    const who = await bob.callTool({ name: 'whoami', arguments: {} });
    expect(who.structuredContent).toMatchObject({ subject: 'user_bob' });
  });

  it('is refused for a user without an organization', async () => {
    await expect(connect(era, 'dave')).rejects.toThrow();
  });
});
