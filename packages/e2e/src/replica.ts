import { type ServiceName, type ServiceProcess, startService } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { START_UP_MS } from '@legate/testing';

/** One process of a service, addressed directly instead of through the load balancer. */
export interface Replica {
  readonly port: number;
  readonly url: string;
  readonly process: ServiceProcess;
  /** @throws if it is not ready within a minute */
  untilReady(): Promise<void>;
  /** Kills the process, as a crash would. */
  kill(): Promise<void>;
}

/** @param env its settings except `PORT` */
export async function startReplica(
  name: ServiceName,
  env: Record<string, string>,
  logFile: string,
): Promise<Replica> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const child = startService(name, { ...env, PORT: String(port) }, logFile);
  return {
    port,
    url,
    process: child,
    untilReady: () => child.waitUntilReady(url, START_UP_MS),
    async kill() {
      process.kill(child.pid, 'SIGKILL');
      await child.stopped.catch(() => undefined);
    },
  };
}
