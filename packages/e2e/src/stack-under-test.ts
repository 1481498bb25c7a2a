import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  developmentEncryptionKeys,
  environmentOf,
  type ImitatedName,
  SERVICE_NAMES,
  type ServiceName,
  type ServicePorts,
  type ServiceProcess,
  type Stack,
  type StackOptions,
  startService,
  startStack,
} from '@legate/dev';
import { createServerDatabase, seedDataDir } from '@legate/postgres/testing';
import { findFreePort } from '@legate/service/testing';
import { eventually, START_UP_MS } from '@legate/testing';

export const MIGRATIONS = fileURLToPath(new URL('../../../apps/management-api/migrations', import.meta.url));

export interface StackUnderTest {
  readonly urls: Stack['urls'];
  readonly ports: ServicePorts;
  /** A superuser's login to the stack's database; undefined if it is embedded */
  readonly databaseUrl: string | undefined;
  /** Process of a service */
  pidOf(service: ServiceName): number;
  /** Sends a signal to one service, and nothing to the others. */
  signal(service: ServiceName, signal: NodeJS.Signals): void;
  /** Kills one service, as a crash would. */
  kill(service: ServiceName): Promise<void>;
  /** Restarts an ended service with its previous settings. */
  restart(service: ServiceName): Promise<void>;
  /** Returns the log of a service since its last start. */
  readLog(service: ServiceName): Promise<string>;
  /** Waits until the log of a service contains this text. */
  says(service: ServiceName, text: string): Promise<void>;
  /** Stops the services and removes their data. */
  stop(): Promise<void>;
}

/** A long time-out, because a busy machine must not count as an outage of Redis. */
const withPatience = (env: StackOptions['env'] = {}): NonNullable<StackOptions['env']> =>
  Object.fromEntries(SERVICE_NAMES.map((name) => [name, { REDIS_COMMAND_TIMEOUT_MS: '5000', ...env[name] }]));

/**
 * Starts the five built services on free ports: on the embedded stores, or in a new database on TEST_DATABASE_URL and
 * with TEST_REDIS_URL when these are set.
 */
export async function startStackUnderTest(
  options: {
    logLevel?: string;
    ports?: ServicePorts;
    /** The identity provider that mock-idp imitates */
    idp?: ImitatedName;
    /** A subset of the five services, for a suite that needs only these */
    services?: readonly ServiceName[];
    /** `named`: those that TEST_DATABASE_URL and TEST_REDIS_URL name, the default */
    stores?: 'embedded' | 'named';
    /** A superuser's login at a PostgreSQL server, in place of TEST_DATABASE_URL */
    databaseServer?: string;
    /** Further variables of single services. */
    env?: Partial<Record<ServiceName, Record<string, string>>>;
  } = {},
): Promise<StackUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'legate-e2e-'));
  const ports = options.ports ?? (await freeServicePorts());
  const named = options.stores === 'embedded' ? {} : process.env;
  const server = options.databaseServer ?? named.TEST_DATABASE_URL;
  const database = server ? await createServerDatabase(server, MIGRATIONS) : undefined;
  if (!database) await seedDataDir({ migrations: MIGRATIONS, dataDir: `${dataDir}/postgres` });
  const redisUrl = named.TEST_REDIS_URL || undefined;
  const cleanUp = async () => {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };

  const stackOptions: StackOptions = {
    ports,
    idp: options.idp,
    dataDir,
    databaseUrl: database?.url,
    redisUrl,
    encryptionKeys: redisUrl ? developmentEncryptionKeys() : undefined,
    redisKeyPrefix: `e2e-${randomUUID()}:`,
    logLevel: options.logLevel ?? 'info',
    env: redisUrl ? withPatience(options.env) : (options.env ?? {}),
  };
  let stack: Stack;
  try {
    stack = await startStack({ ...stackOptions, ...(options.services && { services: options.services }) });
  } catch (err) {
    await cleanUp();
    throw err;
  }

  const logOf = (service: ServiceName) => join(dataDir, 'logs', `${service}.log`);
  const restarted = new Map<ServiceName, ServiceProcess>();
  const find = (service: ServiceName): ServiceProcess => {
    const running = restarted.get(service) ?? stack.processes.find(({ name }) => name === service);
    if (!running) throw new Error(`${service} was not started`);
    return running;
  };
  const readLog = (service: ServiceName) => readFile(logOf(service), 'utf8');
  return {
    urls: stack.urls,
    ports,
    databaseUrl: database?.url,
    pidOf: (service) => find(service).pid,
    signal: (service, signal) => void process.kill(find(service).pid, signal),
    async kill(service) {
      const running = find(service);
      process.kill(running.pid, 'SIGKILL');
      await running.stopped.catch(() => undefined);
    },
    async restart(service) {
      const again = startService(service, environmentOf(service, stackOptions), logOf(service));
      restarted.set(service, again);
      await again.waitUntilReady(stack.urls[service], START_UP_MS);
    },
    readLog,
    async says(service, text) {
      // Only the end is useful in the message.
      const read = async () => (await readLog(service)).slice(-20_000);
      await eventually(`"${text}" in the log of ${service}`, read, { until: (log) => log.includes(text) });
    },
    async stop() {
      for (const running of restarted.values()) await running.stop();
      await stack.stop();
      await cleanUp();
    },
  };
}

/** Five free ports in a row. */
export async function freeServicePorts(): Promise<ServicePorts> {
  const first = await findFreePort({ offsets: [1, 2, 3, 4] });
  return {
    'management-api': first,
    'tool-hub': first + 1,
    'mock-idp': first + 2,
    'reference-mcp-server': first + 3,
    console: first + 4,
  };
}
