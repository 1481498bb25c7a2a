import { join } from 'node:path';
import {
  environmentOf,
  SERVICE_NAMES,
  type ServiceName,
  type ServiceProcess,
  type StackOptions,
  startService,
} from '@legate/dev';
import { type Balancer, startBalancer } from './balancer.ts';
import { freePort } from './stack-under-test.ts';

export interface Replica {
  readonly port: number;
  readonly process: ServiceProcess;
}

/** Several processes of one service behind a load balancer, at the port that the others know. */
export interface Replicas {
  readonly balancer: Balancer;
  readonly running: readonly Replica[];
  /** Starts one more. */
  start(): Promise<Replica>;
  /** SIGTERM to one. @returns its exit code, and how long it took */
  stop(replica: Replica): Promise<{ exitCode: number | null; seconds: number }>;
  /** A rolling restart: as many new ones, whose settings are changed from now on, and only then the old ones stop. */
  roll(changes: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;

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
    const port = await freePort();
    const own = { PORT: String(port), DATA_DIR: place };
    const all = {
      ...environmentOf(name, stack),
      SHUTDOWN_DELAY_SECONDS: '1',
      ...options.env,
      ...env,
      ...own,
    };
    const child = startService(name, all, `${place}.log`);
    const replica = { port, process: child };
    running.push(replica);
    await child.waitUntilReady(`http://localhost:${port}`, READY_TIMEOUT_MS);
    await balancer.add(port);
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
  of(name: ServiceName): Replicas;
  close(): Promise<void>;
}

/** The four services. When one cannot start, the others are stopped before the fault is thrown. */
export async function startReplicatedStack(
  stack: StackOptions,
  options: Record<ServiceName, { count: number; env: Record<string, string> }>,
): Promise<ReplicatedStack> {
  const all = new Map<ServiceName, Replicas>();
  const results = await Promise.allSettled(
    SERVICE_NAMES.map(async (name) => all.set(name, await startReplicas(name, { stack, ...options[name] }))),
  );
  const close = async () => {
    await Promise.all([...all.values()].map((one) => one.close()));
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  return {
    of(name) {
      const found = all.get(name);
      if (!found) throw new Error(`${name} was not started`);
      return found;
    },
    close,
  };
}
