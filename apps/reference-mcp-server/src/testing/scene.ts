import { createHealth, createLogger, createMetrics } from '@legate/service';
import { openScene } from '@legate/tool-server-testing';
import { type AppDependencies, createApp } from '../app.ts';
import { createMemoryNotes } from '../notes/store.ts';

export * from '@legate/tool-server-testing';

/** The server as `main.ts` runs it. */
export async function createScene(change: Partial<AppDependencies> = {}) {
  const lines: string[] = [];
  const scene = await openScene(
    (given) =>
      createApp({
        ...given,
        allowedOrigins: ['https://app.example'],
        notes: createMemoryNotes(given),
        log: createLogger({
          service: 'test',
          level: 'trace',
          destination: { write: (line) => lines.push(line) },
        }),
        health: createHealth({ checks: {} }),
        metrics: createMetrics('test'),
        version: '0.0.0',
        ...change,
        signingKeys: given.signingKeys,
      }),
    change,
  );
  return { ...scene, lines };
}

export type Scene = Awaited<ReturnType<typeof createScene>>;
