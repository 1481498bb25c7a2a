import { narrate } from '../demo/narrate.ts';
import { createPrinter } from '../demo/printer.ts';
import { portsFrom, type ServiceUrls, urlsOf } from '../stack/services.ts';
import { listenForInterruption, unlessInterrupted } from '../terminal/interruption.ts';
import { createStyle, widthOf } from '../terminal/style.ts';
import { startFromEnvironment } from './start.ts';

/**
 * `npm run demo`: the story on a running stack, or on one that is started for it and stopped afterwards.
 * @returns the exit code
 * @throws {Interrupted} with nothing left running: a story that is not told to its end has shown nothing
 */
export async function demo(env: NodeJS.ProcessEnv, stdout: NodeJS.WriteStream): Promise<number> {
  const interruption = listenForInterruption();
  const write = (text: string) => void (interruption.aborted || stdout.write(text));
  const print = createPrinter(write, createStyle(stdout, env), widthOf(stdout));
  const urls = urlsOf(portsFrom(env));
  if (await isRunning(urls)) {
    await unlessInterrupted(narrate(urls, print), interruption);
    return 0;
  }
  write('No stack is running: starting one for the demo\n');
  const stack = await startFromEnvironment(env, write, interruption);
  try {
    await unlessInterrupted(Promise.race([narrate(stack.urls, print), stack.failed]), interruption);
    return 0;
  } finally {
    await stack.stop();
  }
}

async function isRunning(urls: ServiceUrls): Promise<boolean> {
  const answers = await Promise.all(
    Object.values(urls).map((url) =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
        (answer) => answer.ok,
        () => false,
      ),
    ),
  );
  return answers.every(Boolean);
}
