import { join, relative } from 'node:path';
import { narrate } from '../demo/narrate.ts';
import { narrateImitated } from '../demo/narrate-imitated.ts';
import { printImitated } from '../demo/print-imitated.ts';
import { printConsole, printScene } from '../demo/print-scene.ts';
import { createPrinter } from '../demo/printer.ts';
import { type ImitatedName, parseImitated } from '../stack/imitated.ts';
import { portsFrom, ROOT } from '../stack/services.ts';
import { developmentEncryptionKeys, type Stack, startStack } from '../stack/start-stack.ts';
import { Interrupted, listenForInterruption, unlessInterrupted } from '../terminal/interruption.ts';
import { createStyle, widthOf } from '../terminal/style.ts';

/**
 * Starts the stack with the environment's ports and stores, showing progress.
 * @throws {Interrupted} with nothing left running, and what `startStack` throws
 */
export async function startFromEnvironment(
  env: NodeJS.ProcessEnv,
  write: (text: string) => void,
  interruption: AbortSignal,
  idp?: ImitatedName,
): Promise<Stack> {
  const startedAt = performance.now();
  const stack = await startStack({
    ports: portsFrom(env),
    idp,
    databaseUrl: env.DATABASE_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
    encryptionKeys: env.REDIS_URL ? developmentEncryptionKeys() : undefined,
    dataDir: dataDirOf(env, idp),
    logLevel: env.LOG_LEVEL || 'info',
    signal: interruption,
    onProgress: (service, state) => {
      if (state === 'ready') write(`  ${service} ready after ${seconds(startedAt)}\n`);
    },
  });
  return stack;
}

/**
 * `npm start`: starts the stack, runs the demo, and waits for Ctrl-C.
 * @param args the identity provider to imitate, if any
 * @returns the exit code
 */
export async function start(
  env: NodeJS.ProcessEnv,
  stdout: NodeJS.WriteStream,
  [name]: readonly string[] = [],
): Promise<number> {
  const idp = parseImitated(name);
  const interruption = listenForInterruption();
  interruption.addEventListener('abort', () => stdout.write('\nStopping\n'), { once: true });
  const write = (text: string) => void (interruption.aborted || stdout.write(text));
  const print = createPrinter(write, createStyle(stdout, env), widthOf(stdout));

  write('Starting the services\n');
  try {
    const stack = await startFromEnvironment(env, write, interruption, idp);
    try {
      print.line();
      printConsole(stack.urls, print);
      if (idp) printImitated(idp, stack.urls, print);
      const story = idp ? narrateImitated(idp, stack.urls, print) : narrate(stack.urls, print);
      await unlessInterrupted(Promise.race([story, stack.failed]), interruption);
      printScene(stack.urls, print, idp);
      print.line();
      print.say(`Logs: ${relative(process.cwd(), dataDirOf(env, idp)) || '.'}/logs. Stop: Ctrl-C.`);
      return await unlessInterrupted(stack.failed, interruption);
    } finally {
      write('\nStopping\n');
      await stack.stop();
    }
  } catch (err) {
    if (err instanceof Interrupted) return 0; // the normal end of the command
    throw err;
  }
}

/** Returns a separate directory for each imitated provider, because users have different ids there. */
const dataDirOf = (env: NodeJS.ProcessEnv, idp: ImitatedName | undefined): string =>
  join(env.LEGATE_DATA_DIR || `${ROOT}.legate`, idp ?? '');

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
