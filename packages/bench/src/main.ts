import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ADDED_LATENCY_PATH, openAddedLatencyPath } from './added-latency/added-latency.ts';
import { ADDED_BY_USERS_PATH, openAddedByUsersPath } from './added-latency/by-users.ts';
import {
  AGENTS_CALL_PATH,
  AGENTS_MCP_PATH,
  HUB_TOKENS_PATH,
  openAgentsCallPath,
  openAgentsMcpPath,
  openHubTokensPath,
} from './agents-mcp/agents-mcp.ts';
import { DELEGATION_PATH, openDelegationPath } from './delegation/delegation.ts';
import { against } from './harness/against.ts';
import type { BenchPath } from './harness/bench-path.ts';
import { excessesOf, withoutPeers } from './harness/guard.ts';
import { measure } from './harness/measure.ts';
import { summarizeProfile } from './harness/profile-summary.ts';
import { formatReport, type PathReport, toReport } from './harness/report.ts';
import { type Results, renderReportPage } from './harness/report-page.ts';
import { JWT_BEARER_PATH, openJwtBearerPath } from './jwt-bearer/jwt-bearer.ts';
import {
  LIST_SITES_GROWTH_PATH,
  LIST_SITES_PATH,
  openListSitesGrowthPath,
  openListSitesPath,
} from './list-sites/list-sites.ts';
import { formatMemory, measureMemory } from './memory/memory.ts';
import { HELP, type Options, parseOptions } from './options.ts';
import { openToolsCallPath, TOOLS_CALL_PATH } from './tools-call/tools-call.ts';

const RESULTS = new URL('../../../bench-results/', import.meta.url);

interface MeasuredPath {
  readonly name: string;
  readonly open: (options: Options) => Promise<BenchPath>;
  /**
   * Highest ratio of the target's CPU per request to the floor's that `--guard` accepts: about twice the usual ratio,
   * because the guard runs on machines that do other work. Undefined: the path is not guarded.
   */
  readonly bound?: number;
}

/** Paths in the order in which they are measured; each is opened when its turn comes. */
const PATHS: readonly MeasuredPath[] = [
  { name: JWT_BEARER_PATH, open: openJwtBearerPath, bound: 5 },
  { name: TOOLS_CALL_PATH, open: openToolsCallPath, bound: 7 },
  { name: AGENTS_CALL_PATH, open: openAgentsCallPath, bound: 7 },
  { name: HUB_TOKENS_PATH, open: openHubTokensPath },
  { name: ADDED_LATENCY_PATH, open: openAddedLatencyPath },
  { name: ADDED_BY_USERS_PATH, open: openAddedByUsersPath },
  { name: DELEGATION_PATH, open: openDelegationPath, bound: 12 },
  { name: AGENTS_MCP_PATH, open: openAgentsMcpPath },
  { name: LIST_SITES_PATH, open: openListSitesPath, bound: 8 },
  { name: LIST_SITES_GROWTH_PATH, open: openListSitesGrowthPath },
];

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

async function run(path: BenchPath, options: Options): Promise<PathReport> {
  const profiles: string[] = [];
  const measurements = await measure(path, {
    rounds: options.rounds,
    requestsPerRound: options.requestsPerRound,
    profilePath: options.profile
      ? (program, load) => {
          const file = new URL(`${slug(`${path.name} ${program} ${load}`)}.cpuprofile`, RESULTS);
          profiles.push(fileURLToPath(file));
          return fileURLToPath(file);
        }
      : undefined,
    onProgress: (text) => void process.stderr.write(`${path.name}: ${text}\n`),
  });
  for (const profile of profiles) {
    process.stderr.write(`\n${profile}\n${await summarizeProfile(profile)}\n`);
  }
  return toReport(path, measurements);
}

function contestOf(path: BenchPath, { guard, against: checkout }: Options): BenchPath {
  if (guard) return withoutPeers(path);
  return checkout === undefined ? path : against(path, checkout);
}

/** Reports a path that cannot be opened, such as when a server is missing; the others are still measured. */
function complain(path: string, err: unknown): undefined {
  process.stderr.write(`${path}: ${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}

/** Parses the options; reports a wrong command in one line. @returns undefined when there is nothing to measure */
function readCommandLine(args: readonly string[]): { options: Options; paths: typeof PATHS } | undefined {
  try {
    const options = parseOptions(args);
    if (!options) {
      process.stdout.write(`${HELP}${PATHS.map(({ name }) => `  ${name}\n`).join('')}`);
      return undefined;
    }
    const paths = PATHS.filter(
      ({ name, bound }) => name.includes(options.only ?? '') && !(options.guard && bound === undefined),
    );
    if (paths.length === 0) throw new TypeError(`No path has "${options.only}" in its name`);
    return { options, paths };
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    const [fault] = err.message.split('. '); // the rest is advice for authors of programs
    process.stderr.write(`${fault}; npm run bench -- --help lists the options\n`);
    process.exitCode = 2;
    return undefined;
  }
}

/** Writes the results as JSON, and as a page to look at. */
async function writeResults(results: Results, json: boolean): Promise<void> {
  const text = `${JSON.stringify(results, null, 2)}\n`;
  const [file, page] = ['json', 'html'].map((type) =>
    fileURLToPath(new URL(`${results.at.replace(/[:.]/g, '-')}.${type}`, RESULTS)),
  ) as [string, string];
  await writeFile(file, text);
  await writeFile(page, renderReportPage(results));
  process.stdout.write(json ? text : `written to ${file}\nand, as a page with plots, to ${page}\n`);
}

async function main(): Promise<void> {
  const asked = readCommandLine(process.argv.slice(2));
  if (!asked) return;
  const { options, paths } = asked;
  if (options.memory) {
    const report = await measureMemory((text) => void process.stderr.write(`memory: ${text}\n`));
    process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : formatMemory(report)}\n`);
    return;
  }
  await mkdir(RESULTS, { recursive: true });
  const reports: PathReport[] = [];
  const excesses: string[] = [];
  for (const { name, open, bound } of paths) {
    const path = await open(options).catch((err: unknown) => complain(name, err));
    if (!path) continue;
    try {
      const report = await run(contestOf(path, options), options);
      reports.push(report);
      if (options.guard && bound !== undefined) excesses.push(...excessesOf(report, bound));
      if (!options.json) process.stdout.write(`\n${formatReport(report)}\n`);
    } finally {
      await path.close();
    }
  }
  const machine = {
    node: process.version,
    platform: process.platform,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
  };
  const at = new Date().toISOString();
  await writeResults({ at, machine, options, reports }, options.json);
  for (const excess of excesses) process.stderr.write(`${excess}\n`);
  if (excesses.length > 0) process.exitCode = 1;
  // A wrong response makes the figures worthless, so it fails the run; a missed goal is a valid result.
  if (reports.some(({ measurements }) => measurements.some(({ errors }) => errors > 0))) process.exitCode = 1;
}

// What was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().catch((err: unknown) => {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
});
