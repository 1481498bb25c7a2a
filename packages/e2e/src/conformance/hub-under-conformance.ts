import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchange, scene, signIn } from '@legate/dev';
import { freeServicePorts, startStackUnderTest } from '../stack-under-test.ts';
import { startEverythingServer } from './everything-server.ts';
import { startSignedInProxy } from './signed-in-proxy.ts';

const CLIENT_SECRET = 'tool-hub-at-everything-secret';

export interface HubUnderConformance {
  /** The tool server itself. */
  readonly directUrl: string;
  /** `/mcp/{connector_id}` of the hub in front of it, signed in as Alice. */
  readonly hubUrl: string;
  stop(): Promise<void>;
}

/** Starts the tool server of everything, and the built hub with it as its only connector. */
export async function startHubUnderConformance(): Promise<HubUnderConformance> {
  const ports = await freeServicePorts();
  const issuer = `http://localhost:${ports['mock-idp']}`;
  const toStop: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of toStop.splice(0).reverse()) await end();
  };
  try {
    const everything = await startEverythingServer({ issuer, clientSecret: CLIENT_SECRET });
    toStop.push(everything.stop);
    const directory = await mkdtemp(join(tmpdir(), 'legate-connectors-'));
    toStop.push(() => rm(directory, { recursive: true }));
    const file = join(directory, 'connectors.json');
    await writeFile(file, JSON.stringify({ connectors: [connectorFor(everything.resource)] }));
    const stack = await startStackUnderTest({
      ports,
      services: ['mock-idp', 'tool-hub'],
      env: {
        'tool-hub': { CONNECTORS_FILE: file, MANAGEMENT_API_URL: '', REQUESTS_PER_MINUTE: '100000' },
      },
    });
    toStop.push(stack.stop);
    await registerAtProvider(issuer, everything.resource);
    const { idToken } = await signIn({ issuer, email: scene.USERS.alice.email });
    const proxy = await startSignedInProxy(new URL(`${stack.urls['tool-hub']}/mcp/everything`), idToken);
    toStop.push(proxy.stop);
    return { directUrl: everything.openUrl, hubUrl: proxy.url, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

const connectorFor = (resource: string) => ({
  id: 'everything',
  name: 'Everything',
  auth_method: 'id-jag',
  client_id: 'tool-hub',
  client_secret: CLIENT_SECRET,
  organization_ids: ['org_acme'],
  scopes: scene.SCOPES,
  resource,
});

const registerAtProvider = (issuer: string, resource: string) =>
  exchange(
    'POST',
    `${issuer}/admin/resource-servers`,
    {
      json: {
        accepts: 'id_jag',
        resource,
        scopes: scene.SCOPES,
        clients: { 'tool-hub': { client_id: 'tool-hub' } },
      },
    },
    { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
  );
