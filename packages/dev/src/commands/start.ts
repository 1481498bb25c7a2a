import { narrate, printScene } from '../demo/narrate.ts';
import { createPrinter } from '../demo/printer.ts';
import { portsFrom, ROOT } from '../stack/services.ts';
import { developmentEncryptionKeys, type Stack, startStack } from '../stack/start-stack.ts';
import { createStyle } from '../terminal/style.ts';

/** Starts the stack with the environment's ports and stores, showing progress. */
export async function startFromEnvironment(
  env: NodeJS.ProcessEnv,
  write: (text: string) => void,
): Promise<Stack> {
  const startedAt = performance.now();
  const stack = await startStack({
    ports: portsFrom(env),
    databaseUrl: env.DATABASE_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
    encryptionKeys: env.REDIS_URL ? developmentEncryptionKeys() : undefined,
    dataDir: env.LEGATE_DATA_DIR || `${ROOT}.legate`,
    logLevel: env.LOG_LEVEL || 'info',
    onProgress: (service, state) => {
      if (state === 'ready') write(`  ${service} ready after ${seconds(startedAt)}\n`);
    },
  });
  return stack;
}

/**
 * `npm start`: the stack with its story, until Ctrl-C.
 * @returns the exit code
 */
export async function start(env: NodeJS.ProcessEnv, stdout: NodeJS.WriteStream): Promise<number> {
  const write = (text: string) => void stdout.write(text);
  const print = createPrinter(write, createStyle(stdout, env));
  const interrupted = nextInterrupt();

  write('Starting the services\n');
  const stack = await startFromEnvironment(env, write);
  try {
    await Promise.race([narrate(stack.urls, print), interrupted, stack.failed]);
    if (interrupted.happened()) return 0;
    printScene(stack.urls, print);
    print.line();
    print.say(`Logs: ${env.LEGATE_DATA_DIR || '.legate'}/logs. Stop: Ctrl-C.`);
    await Promise.race([interrupted, stack.failed]);
    return 0;
  } finally {
    write('\nStopping\n');
    await stack.stop();
  }
}

/** Resolves at the first Ctrl-C or SIGTERM; from then on they no longer end this process by themselves. */
export function nextInterrupt(): Promise<void> & { happened(): boolean } {
  let happened = false;
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        happened = true;
        resolve();
      });
    }
  });
  return Object.assign(interrupted, { happened: () => happened });
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
