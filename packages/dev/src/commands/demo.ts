import { narrate } from '../demo/narrate.ts';
import { createPrinter } from '../demo/printer.ts';
import { portsFrom, type ServiceUrls, urlsOf } from '../stack/services.ts';
import { listenForInterruption, unlessInterrupted } from '../terminal/interruption.ts';
import { createStyle, widthOf } from '../terminal/style.ts';
import { startFromEnvironment } from './start.ts';

/**
 * Time in which a running service responds, however busy the machine is. If no service runs, the connection is refused
 * at once.
 */
const ANSWER_MS = 60_000;

/**
 * `npm run demo`: runs the demo on a running stack, or starts one for it and stops it afterwards.
 * @returns the exit code
 * @throws {Interrupted} after stopping everything: an incomplete demo proves nothing
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
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
        (answer) => answer.ok,
        () => false,
      ),
    ),
  );
  return answers.every(Boolean);
}
