import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@legate/dev';
import type { StackUnderTest } from './stack-under-test.ts';

/** Moves the clock of services of a stack that are started with `env` (`shifted-clock.mjs`). */
export interface MovedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Moves it ahead, and waits until these running services have noticed. */
  advance(seconds: number, stack: StackUnderTest, ...services: ServiceName[]): Promise<void>;
  /** Moves it ahead for services that start later. */
  advanceUnseen(seconds: number): Promise<void>;
  remove(): Promise<void>;
}

export async function createMovedClock(): Promise<MovedClock> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-clock-'));
  const file = join(directory, 'seconds');
  let aheadSeconds = 0;
  const advanceUnseen = async (seconds: number) => {
    aheadSeconds += seconds;
    await writeFile(file, String(aheadSeconds));
  };
  await advanceUnseen(0);
  return {
    env: {
      NODE_OPTIONS: `--import=${new URL('./shifted-clock.mjs', import.meta.url)}`,
      CLOCK_FILE: file,
    },
    async advance(seconds, stack, ...services) {
      await advanceUnseen(seconds);
      for (const service of services) stack.signal(service, 'SIGUSR2');
      for (const service of services) await stack.says(service, `clock: ${aheadSeconds} s ahead`);
    },
    advanceUnseen,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
