import { demo } from './commands/demo.ts';
import { bench, doctor } from './commands/other-programs.ts';
import { register } from './commands/register.ts';
import { settings } from './commands/settings.ts';
import { start } from './commands/start.ts';
import { Interrupted } from './terminal/interruption.ts';

const COMMANDS = { start, demo, settings, doctor, bench, register } as const;

/**
 * Runs a command of this package and ends the process with its exit code; a fault is one line, not a stack trace.
 * @param args of `doctor`, `bench` and `register`; the others have none, which `bin/run.js` has checked
 */
export async function main(command: keyof typeof COMMANDS, args: readonly string[] = []): Promise<void> {
  try {
    process.exitCode = await COMMANDS[command](process.env, process.stdout, args);
  } catch (err) {
    // Requests of the demo may still be running, and nothing waits for them.
    if (err instanceof Interrupted) process.exit(err.exitCode);
    process.stderr.write(`\n${err instanceof Error ? err.message : 'failed'}\n`);
    process.exitCode = 1;
  }
}
