import { narrate } from '../demo/narrate.ts';
import { createPrinter } from '../demo/printer.ts';
import { portsFrom, type ServiceUrls, urlsOf } from '../stack/services.ts';
import { createStyle } from '../terminal/style.ts';
import { nextInterrupt, startFromEnvironment } from './start.ts';

/**
 * `npm run demo`: the story on a running stack, or on one that is started for it and stopped afterwards.
 * @returns the exit code
 */
export async function demo(env: NodeJS.ProcessEnv, stdout: NodeJS.WriteStream): Promise<number> {
  const write = (text: string) => void stdout.write(text);
  const print = createPrinter(write, createStyle(stdout, env));
  const urls = urlsOf(portsFrom(env));
  if (await isRunning(urls)) {
    await narrate(urls, print);
    return 0;
  }
  const interrupted = nextInterrupt();
  write('No stack is running: starting one for the demo\n');
  const stack = await startFromEnvironment(env, write);
  try {
    await Promise.race([narrate(stack.urls, print), interrupted, stack.failed]);
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
