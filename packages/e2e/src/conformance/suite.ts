import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

// Runs the official MCP conformance suite, a command, and reads the checks that it writes.

/** Every revision that the suite has scenarios for. */
export const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

const Checks = z.array(
  z.object({ id: z.string(), name: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);

/** Statuses of checks, from the best to the worst. */
const OUTCOMES = ['SUCCESS', 'INFO', 'SKIPPED', 'WARNING', 'FAILURE'];
export interface Outcome {
  readonly status: string;
  readonly errorMessage: string;
}
/**
 * Outcomes by `{scenario}: {name}`, followed by the check's id where several share a name. A check that a scenario runs
 * more than once has the worst of its outcomes.
 */
export type Outcomes = ReadonlyMap<string, Outcome>;

const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const COMMAND = join(dirname(PACKAGE), 'dist/index.js');
/** The suite is written for Node.js 22; this gives Node.js 20 the one function that is missing. */
const FOR_NODE_20 = new URL('./suite-on-node-20.mjs', import.meta.url).href;

/** Runs all scenarios of a revision against an MCP server. */
export const runServerScenarios = (url: string, revision: Revision): Promise<Outcomes> =>
  runSuite(['server', '--url', url, '--suite', 'all', '--spec-version', revision]);

/** Runs the suite; `onLine` gets what it prints, line by line. */
export async function runSuite(
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<Outcomes> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-conformance-'));
  try {
    await runCommand([...args, '--output-dir', directory], onLine);
    return await readOutcomes(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Resolves when the command has ended. Its exit code counts failed checks, which are read from its files. */
async function runCommand(args: readonly string[], onLine: (line: string) => void): Promise<void> {
  const child = spawn(process.execPath, ['--import', FOR_NODE_20, COMMAND, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(child.stdout).on('line', onLine);
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
}

async function readOutcomes(directory: string): Promise<Outcomes> {
  const outcomes = new Map<string, Outcome>();
  for (const folder of await readdir(directory)) {
    const scenario = /^(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(folder)?.[1] ?? folder;
    const checks = Checks.parse(JSON.parse(await readFile(join(directory, folder, 'checks.json'), 'utf8')));
    for (const { id, name, status, errorMessage = '' } of checks) {
      const isShared = checks.some((other) => other.name === name && other.id !== id);
      const key = `${scenario}: ${isShared ? `${name} ${id}` : name}`;
      const known = outcomes.get(key);
      if (!known || OUTCOMES.indexOf(status) > OUTCOMES.indexOf(known.status))
        outcomes.set(key, { status, errorMessage });
    }
  }
  return outcomes;
}
