import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { unlessInterrupted } from '../terminal/interruption.ts';
import { claimDataDir } from './data-dir-claim.ts';
import { isListening } from './is-listening.ts';
import { type ServiceProcess, startService } from './service-process.ts';
import {
  environmentOf,
  SERVICE_NAMES,
  type ServiceName,
  type ServiceUrls,
  type StackOptions,
  urlsOf,
  writeFiles,
} from './services.ts';

export interface Stack {
  readonly urls: ServiceUrls;
  readonly processes: readonly ServiceProcess[];
  /** Rejects as soon as any service exits unexpectedly. */
  readonly failed: Promise<never>;
  /** Stops the services in the reverse order of their start. */
  stop(): Promise<void>;
}

/** Another program listens on a service's port. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  constructor(
    readonly service: ServiceName,
    readonly port: number,
  ) {
    const variable = `${service.toUpperCase().replaceAll('-', '_')}_PORT`;
    super(
      `port ${port} is in use, so ${service} cannot start there; free it, or choose another with ${variable}`,
    );
  }
}

/** Long enough to create a new database on a busy machine; a service that exits is noticed at once. */
const READY_TIMEOUT_MS = 90_000;

/**
 * Starts the five services as separate processes and waits until each is ready. If one cannot start, the started ones
 * are stopped before the error is thrown.
 * @throws {PortInUse} {DataDirInUse} {ServiceStopped}, and the reason of `signal`
 */
export async function startStack(
  options: StackOptions & {
    /** A subset of the five services */
    services?: readonly ServiceName[];
    /** Aborts the start; started services are stopped. */
    signal?: AbortSignal;
    onProgress?: (service: ServiceName, state: 'starting' | 'ready') => void;
  },
): Promise<Stack> {
  const names = options.services ?? SERVICE_NAMES;
  for (const name of names) {
    if (await isListening(options.ports[name])) throw new PortInUse(name, options.ports[name]);
  }
  const logDir = `${options.dataDir}/logs`;
  await mkdir(logDir, { recursive: true });
  const giveFree = await claimDataDir(options.dataDir);
  const urls = urlsOf(options.ports);
  const processes: ServiceProcess[] = [];
  const stop = async () => {
    for (const running of processes.toReversed()) await running.stop();
    await giveFree();
  };

  try {
    options.signal?.throwIfAborted();
    await writeFiles(options);
    const ready = Promise.all(
      names.map(async (name) => {
        options.onProgress?.(name, 'starting');
        const running = startService(name, environmentOf(name, options), `${logDir}/${name}.log`);
        processes.push(running);
        await running.waitUntilReady(urls[name], READY_TIMEOUT_MS);
        options.onProgress?.(name, 'ready');
      }),
    );
    await (options.signal ? unlessInterrupted(ready, options.signal) : ready);
  } catch (err) {
    await stop();
    throw err;
  }
  const failed = Promise.race(processes.map(({ stopped }) => stopped));
  failed.catch(() => {}); // waiting callers get the rejection
  return { urls, processes, failed, stop };
}

/** Creates a key for a store outside this process; the embedded stores create their own. */
export const developmentEncryptionKeys = (): string => `dev:${randomBytes(32).toString('base64')}`;
