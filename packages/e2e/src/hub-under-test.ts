import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type hostile, startService } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { START_UP_MS } from '@legate/testing';

/** Application whose ID tokens the hub accepts */
export const APPLICATION = 'an-application';
/** The hub's client at every tool server */
export const CLIENT_AT_TOOL_SERVERS = 'hub-at-tool-server';
export const ORGANIZATION = 'org_acme';

const SECRET_AT_IDP = 'the-secret-of-the-hub-at-the-identity-provider';

export interface HubUnderTest {
  readonly url: string;
  readonly pid: number;
  readLog(): Promise<string>;
  stop(): Promise<void>;
}

/** Several hub processes with the same settings, such as one Redis, and with connectors to servers of the test. */
export async function startHubs(options: {
  count: number;
  idp: hostile.HostileIdentityProvider;
  /** Tool servers by the ids of their connectors */
  toolServers: ReadonlyMap<string, hostile.HostileToolServer>;
  ledger: hostile.Ledger;
  /** Additional or replaced members of a connector in the file */
  membersOf?: (id: string) => object;
  redisUrl?: string | undefined;
  /** Organizations that have the connectors. Default: `ORGANIZATION` only */
  organizations?: readonly string[];
  env?: Record<string, string>;
}): Promise<HubUnderTest[]> {
  const { idp, toolServers, ledger, redisUrl, organizations = [ORGANIZATION] } = options;
  const directory = await mkdtemp(join(tmpdir(), 'legate-hubs-'));
  const connectorsFile = join(directory, 'connectors.json');
  ledger.note("the hub's secret at the identity provider", SECRET_AT_IDP, [idp.url]);
  const connectors = [...toolServers].map(([id, { url }]) => {
    const secret = randomUUID();
    ledger.note(`the hub's secret at ${id}`, secret, [url]);
    return {
      ...{ id, name: id, organization_ids: organizations, resource: url, auth_method: 'id-jag' },
      ...{ client_id: CLIENT_AT_TOOL_SERVERS, client_secret: secret, scopes: ['tools'] },
      ...options.membersOf?.(id),
    };
  });
  await writeFile(connectorsFile, JSON.stringify({ connectors }));
  const shared = {
    LOG_LEVEL: 'debug',
    OUTBOUND_ALLOW: 'loopback',
    IDP_ISSUER: idp.url,
    IDP_CLIENT_ID: 'tool-hub',
    IDP_CLIENT_SECRET: SECRET_AT_IDP,
    ACCEPTED_AUDIENCES: APPLICATION,
    CONNECTORS_FILE: connectorsFile,
    // No limits that interfere with suites that do not set their own
    ...{ REQUESTS_PER_MINUTE: '1000000', SINGLE_ORGANIZATION: 'true' },
    ...(redisUrl && {
      REDIS_URL: redisUrl,
      REDIS_KEY_PREFIX: `e2e-${randomUUID()}:`,
      REDIS_COMMAND_TIMEOUT_MS: '5000', // a busy machine must not count as an outage of Redis
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    }),
    ...options.env,
  };
  const start = async (number: number): Promise<HubUnderTest> => {
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const logFile = join(directory, `hub-${number}.log`);
    const hub = startService('tool-hub', { ...shared, PORT: String(port), PUBLIC_URL: url }, logFile);
    await hub.waitUntilReady(url, START_UP_MS);
    return {
      url,
      pid: hub.pid,
      readLog: () => readFile(logFile, 'utf8'),
      async stop() {
        await hub.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  };
  return Promise.all(Array.from({ length: options.count }, (_, i) => start(i + 1)));
}
