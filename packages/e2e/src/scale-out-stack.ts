import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  developmentEncryptionKeys,
  environmentOf,
  SERVICE_NAMES,
  type ServiceName,
  type ServiceUrls,
  urlsOf,
} from '@legate/dev';
import { type Replica, startReplica } from './replica.ts';
import { createSigningKey, jwksOf, writeSeedWithoutLimits } from './replica-settings.ts';
import { type BalancingProxy, startBalancingProxy } from './scale-out-proxy.ts';
import { freeServicePorts } from './stack-under-test.ts';

export interface ScaledStack {
  /** URLs of the proxies, by which all peers address the services */
  readonly urls: ServiceUrls;
  readonly proxies: Readonly<Record<ServiceName, BalancingProxy>>;
  readonly replicas: Readonly<Record<ServiceName, readonly [Replica, Replica]>>;
  /** Private keys with which mock-idp signs */
  readonly idpJwks: { keys: object[] };
  readLogs(): Promise<string>;
  stop(): Promise<void>;
}

/** Two processes of each service, each pair behind a proxy, with shared stores and shared keys. */
export async function startScaledStack(options: {
  databaseUrl: string;
  /** Nodes of a cluster */
  redisUrl: string;
}): Promise<ScaledStack> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-scaled-'));
  const ports = await freeServicePorts();
  const urls = urlsOf(ports);
  const env = await sharedSettings(directory);
  const running: Replica[] = [];
  const proxies: Partial<Record<ServiceName, BalancingProxy>> = {};
  const replicas: Partial<Record<ServiceName, readonly [Replica, Replica]>> = {};
  const logs: string[] = [];

  async function start(name: ServiceName, number: number): Promise<Replica> {
    const settings = environmentOf(name, {
      ...{ ports, databaseUrl: options.databaseUrl, redisUrl: options.redisUrl, dataDir: directory },
      ...{ encryptionKeys: env.encryptionKeys, logLevel: 'warn', redisKeyPrefix: 'scale:' },
      env: { [name]: { REDIS_MODE: 'cluster', ...env.own[name] } },
    });
    const log = join(directory, `${name}-${number}.log`);
    logs.push(log);
    const replica = await startReplica(name, settings, log);
    running.push(replica);
    await replica.untilReady();
    return replica;
  }

  async function stop(): Promise<void> {
    await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
    await Promise.all(running.map((replica) => replica.process.stop()));
    await rm(directory, { recursive: true, force: true });
  }

  try {
    await Promise.all(
      SERVICE_NAMES.map(async (name) => {
        const first = start(name, 0);
        if (name === 'management-api') await first; // management-api migrates the database
        const both = await Promise.all([first, start(name, 1)]);
        replicas[name] = both;
        const targets = both.map(({ port }) => port);
        proxies[name] = await startBalancingProxy({ port: ports[name], replicas: targets });
      }),
    );
  } catch (err) {
    await stop();
    throw err;
  }
  return {
    urls,
    proxies: proxies as Record<ServiceName, BalancingProxy>,
    replicas: replicas as Record<ServiceName, readonly [Replica, Replica]>,
    idpJwks: env.idpJwks,
    readLogs: async () => (await Promise.all(logs.map((log) => readFile(log, 'utf8')))).join(''),
    stop,
  };
}

/**
 * Settings that replicas must share besides their stores, otherwise one would reject credentials that another issued.
 */
async function sharedSettings(directory: string) {
  const idpKey = await createSigningKey('RS256');
  const own: Record<ServiceName, Record<string, string>> = {
    'mock-idp': {
      SIGNING_KEYS: jwksOf(idpKey),
      // A hash tag: all keys of the service are on one node, so that the test can kill another node.
      REDIS_KEY_PREFIX: '{idp}:',
    },
    'reference-mcp-server': { SIGNING_KEYS: jwksOf(await createSigningKey('ES256')) },
    'management-api': { SEED_FILE: await writeSeedWithoutLimits(directory) },
    'tool-hub': { SIGNING_KEYS: jwksOf(await createSigningKey('ES256')) },
    console: {},
  };
  return { encryptionKeys: developmentEncryptionKeys(), own, idpJwks: { keys: [idpKey] } };
}
