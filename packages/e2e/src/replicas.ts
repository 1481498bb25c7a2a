import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  environmentOf,
  SERVICE_NAMES,
  type ServiceName,
  type ServiceUrls,
  type StackOptions,
  urlsOf,
} from '@legate/dev';
import { seedDataDir } from '@legate/postgres/testing';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Replica, startReplica } from './replica.ts';
import { freeServicePorts, MIGRATIONS } from './stack-under-test.ts';

/** Several processes of one service behind a load balancer, at the port that the other services use. */
export interface Replicas {
  readonly balancer: Balancer;
  readonly running: readonly Replica[];
  /** Starts another process. */
  start(): Promise<Replica>;
  /** Sends SIGTERM to one process. @returns its exit code, and the time that it took */
  stop(replica: Replica): Promise<{ exitCode: number | null; seconds: number }>;
  /**
   * Performs a rolling restart: starts as many new processes, with settings that are changed from now on, and then
   * stops the old ones.
   */
  roll(changes: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** @param options.env further variables */
export async function startReplicas(
  name: ServiceName,
  options: { stack: StackOptions; count: number; env?: Record<string, string> },
): Promise<Replicas> {
  const { stack } = options;
  const balancer = await startBalancer(stack.ports[name]);
  const running: Replica[] = [];
  let started = 0;

  let env = options.env ?? {};

  async function start(): Promise<Replica> {
    started += 1;
    const place = join(stack.dataDir, `${name}-${started}`);
    const all = {
      ...environmentOf(name, stack),
      SHUTDOWN_DELAY_SECONDS: '1',
      // Each embedded database has a directory of its own.
      ...(stack.databaseUrl === undefined && { DATABASE_URL: pathToFileURL(place).href }),
      ...env,
    };
    const replica = await startReplica(name, all, `${place}.log`);
    running.push(replica);
    await replica.untilReady();
    await balancer.add(replica.port);
    return replica;
  }

  async function stop(replica: Replica) {
    running.splice(running.indexOf(replica), 1);
    const startedAt = performance.now();
    const exitCode = await replica.process.stop();
    return { exitCode, seconds: (performance.now() - startedAt) / 1000 };
  }

  async function close() {
    await Promise.all([...running].map(stop));
    await balancer.close();
  }

  try {
    await Promise.all(Array.from({ length: options.count }, () => start()));
  } catch (err) {
    await close();
    throw err;
  }
  return {
    balancer,
    running,
    start,
    stop,
    async roll(changes) {
      const old = [...running];
      env = { ...env, ...changes };
      await Promise.all(old.map(() => start()));
      await Promise.all(old.map(stop));
    },
    close,
  };
}

export interface ReplicatedStack {
  /** URLs of the load balancers */
  readonly urls: ServiceUrls;
  /** Directory of this stack's files, which the services read */
  readonly directory: string;
  of(name: ServiceName): Replicas;
  /** Stops everything, and removes the stored data. */
  close(): Promise<void>;
}

/**
 * Starts the four services, each behind a balancer, on embedded stores. If one cannot start, the others are stopped
 * before the error is thrown.
 * @param describe returns the initial number of processes of each service, with further variables; it may put files
 * into the folder
 */
export async function startReplicatedStack(
  describe: (
    directory: string,
  ) => Promise<Record<ServiceName, { count: number; env: Record<string, string> }>>,
): Promise<ReplicatedStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'legate-replicated-'));
  await seedDataDir({ migrations: MIGRATIONS, dataDir: `${dataDir}/postgres` });
  const ports = await freeServicePorts();
  const stack: StackOptions = {
    ...{ ports, dataDir, databaseUrl: undefined, redisUrl: undefined, encryptionKeys: undefined },
    logLevel: 'info',
  };
  const all = new Map<ServiceName, Replicas>();
  const close = async () => {
    await Promise.all([...all.values()].map((one) => one.close()));
    await rm(dataDir, { recursive: true, force: true });
  };
  const options = await describe(dataDir);
  const results = await Promise.allSettled(
    SERVICE_NAMES.map(async (name) => all.set(name, await startReplicas(name, { stack, ...options[name] }))),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  return {
    urls: urlsOf(ports),
    directory: dataDir,
    of(name) {
      const found = all.get(name);
      if (!found) throw new Error(`${name} was not started`);
      return found;
    },
    close,
  };
}
