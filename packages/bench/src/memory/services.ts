import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_NAMES, type ServiceName, type ServicePorts, startStack } from '@legate/dev';
import { median } from '../harness/statistics.ts';
import { freePort } from '../harness/target.ts';
import { type ProcessMemory, readMemory } from './process-memory.ts';

export interface ServiceMemory extends ProcessMemory {
  readonly name: ServiceName;
  /** Median time from the start of the process to the first 200 of /readyz */
  readonly readyMs: number;
}

const IDLE_MS = 10_000;
const STARTS = 5;

/** Measures each service alone, with the settings of `npm start`; management-api has the embedded database. */
export async function measureAlone(): Promise<ServiceMemory[]> {
  const measured: ServiceMemory[] = [];
  for (const name of SERVICE_NAMES) measured.push(...(await inTemporaryStack([name], STARTS)));
  return measured;
}

/** Measures all services of `npm start` at once. */
export const measureTogether = (): Promise<ServiceMemory[]> => inTemporaryStack(SERVICE_NAMES, 1);

/** Starts services several times with the same new directory, and reads their memory after the last start. */
async function inTemporaryStack(services: readonly ServiceName[], starts: number): Promise<ServiceMemory[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'legate-memory-'));
  const readyMs = new Map<ServiceName, number[]>(services.map((name) => [name, []]));
  try {
    let measured: ServiceMemory[] = [];
    // The first start also creates the database.
    for (let start = 0; start <= starts; start += 1) {
      const isLast = start === starts;
      const startedAt = new Map<ServiceName, number>();
      const stack = await startStack({
        ...{ services, dataDir, ports: await freePorts(), logLevel: 'warn' },
        ...{ databaseUrl: undefined, redisUrl: undefined, encryptionKeys: undefined },
        onProgress(name, state) {
          if (state === 'starting') startedAt.set(name, performance.now());
          else if (start > 0)
            readyMs.get(name)?.push(performance.now() - (startedAt.get(name) ?? Number.NaN));
        },
      });
      try {
        if (isLast) {
          await sleep(IDLE_MS);
          measured = await Promise.all(
            stack.processes.map(async ({ name, pid }) => ({
              name,
              readyMs: median(readyMs.get(name) ?? []),
              ...(await readMemory(pid)),
            })),
          );
        }
      } finally {
        await stack.stop();
      }
    }
    return measured;
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

const freePorts = async (): Promise<ServicePorts> => ({
  'mock-idp': await freePort(),
  'reference-mcp-server': await freePort(),
  'management-api': await freePort(),
  'tool-hub': await freePort(),
  console: await freePort(),
});
