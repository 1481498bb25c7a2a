import { demo } from './commands/demo.ts';
import { doctor } from './commands/doctor.ts';
import { settings } from './commands/settings.ts';
import { start } from './commands/start.ts';

const COMMANDS = { start, demo, doctor, settings } as const;

/** Runs a command of the workshop and ends the process with its exit code; a fault is one line, not a stack trace. */
export async function main(command: keyof typeof COMMANDS, args: readonly string[] = []): Promise<void> {
  try {
    if (command !== 'doctor' && args.length > 0)
      throw new Error(
        `${command} takes no arguments (${args[0]}); ports are set in the environment: README.md`,
      );
    process.exitCode = await COMMANDS[command](process.env, process.stdout, args);
  } catch (err) {
    process.stderr.write(`\n${err instanceof Error ? err.message : 'failed'}\n`);
    process.exitCode = 1;
  }
}
