import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../command-line/cli-error.ts';
import { type Command, defineCommand } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';

/** The program of a clone that builds what has changed and runs a command of the development stack. */
const PROGRAM = 'packages/dev/bin/run.js';

const VARIABLES =
  'Settings are environment variables: `MANAGEMENT_API_PORT`, `TOOL_HUB_PORT`, `MOCK_IDP_PORT`, `REFERENCE_MCP_SERVER_PORT`, `CONSOLE_PORT`, `DATABASE_URL`, `REDIS_URL`, `LEGATE_DATA_DIR`, `LOG_LEVEL`.';

export const start = inClone(
  'start',
  'Starts the development stack, and runs the demo of a tool call',
  `It keeps running until Ctrl-C. In a clone of the repository only; \`npm start\` does the same. ${VARIABLES}`,
  'Starts the services, and shows a tool call.',
);

export const demo = inClone(
  'demo',
  'Runs the demo of a tool call on the running stack, or on a stack of its own',
  `In a clone of the repository only; \`npm run demo\` does the same. ${VARIABLES}`,
  'Shows every step of a tool call.',
);

function inClone(name: 'start' | 'demo', summary: string, description: string, does: string): Command {
  return defineCommand({
    name,
    summary,
    description: [description],
    arguments: [],
    options: {},
    examples: [{ typed: `legate ${name}`, does }],
    run: async (_input, { io }) => {
      const root = io.clone();
      if (root !== undefined) return io.runNode(join(root, PROGRAM), [name]);
      throw new CliError({
        exitCode: EXIT.usage,
        code: 'no_clone',
        message:
          'This command needs a clone of the Legate repository, and this directory is not one. To use services elsewhere, run legate login, or set LEGATE_HUB, LEGATE_API and LEGATE_TOKEN.',
        next: `cd <clone> && npm ci && npx legate ${name}`,
      });
    },
  });
}

/** Looks for a clone in a folder and those above it. */
export function findClone(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, PROGRAM)) && nameOf(join(at, 'package.json')) === 'legate') return at;
    if (at === dirname(at)) return undefined;
  }
}

function nameOf(manifest: string): unknown {
  try {
    return Object(JSON.parse(readFileSync(manifest, 'utf8'))).name;
  } catch {
    return undefined;
  }
}
