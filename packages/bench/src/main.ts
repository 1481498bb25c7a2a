import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
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
import { measure } from './harness/measure.ts';
import { summarizeProfile } from './harness/profile-summary.ts';
import { formatReport, type PathReport, toReport } from './harness/report.ts';
import { JWT_BEARER_PATH, openJwtBearerPath } from './jwt-bearer/jwt-bearer.ts';
import {
  LIST_SITES_GROWTH_PATH,
  LIST_SITES_PATH,
  openListSitesGrowthPath,
  openListSitesPath,
} from './list-sites/list-sites.ts';
import { HELP, type Options, parseOptions } from './options.ts';
import { openToolsCallPath, TOOLS_CALL_PATH } from './tools-call/tools-call.ts';

const RESULTS = new URL('../../../bench-results/', import.meta.url);

/** In measuring order; each is opened when its turn comes. */
const PATHS: readonly { name: string; open: () => Promise<BenchPath> }[] = [
  { name: JWT_BEARER_PATH, open: openJwtBearerPath },
  { name: TOOLS_CALL_PATH, open: openToolsCallPath },
  { name: AGENTS_CALL_PATH, open: openAgentsCallPath },
  { name: HUB_TOKENS_PATH, open: openHubTokensPath },
  { name: DELEGATION_PATH, open: openDelegationPath },
  { name: AGENTS_MCP_PATH, open: openAgentsMcpPath },
  { name: LIST_SITES_PATH, open: openListSitesPath },
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

/** If one path cannot be opened because a server is missing, the others are still measured. */
function complain(path: string, err: unknown): undefined {
  process.stderr.write(`${path}: ${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}

/** A wrong command is one line. @returns undefined when there is nothing to measure */
function readCommandLine(args: readonly string[]): { options: Options; paths: typeof PATHS } | undefined {
  try {
    const options = parseOptions(args);
    if (!options) {
      process.stdout.write(`${HELP}${PATHS.map(({ name }) => `  ${name}\n`).join('')}`);
      return undefined;
    }
    const paths = PATHS.filter(({ name }) => name.includes(options.only ?? ''));
    if (paths.length === 0) throw new TypeError(`No path has "${options.only}" in its name`);
    return { options, paths };
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    const [fault] = err.message.split('. '); // the rest is advice for the authors of such programs
    process.stderr.write(`${fault}; npm run bench -- --help lists the options\n`);
    process.exitCode = 2;
    return undefined;
  }
}

async function main(): Promise<void> {
  const asked = readCommandLine(process.argv.slice(2));
  if (!asked) return;
  const { options, paths } = asked;
  await mkdir(RESULTS, { recursive: true });
  const reports: PathReport[] = [];
  for (const { name, open } of paths) {
    const path = await open().catch((err: unknown) => complain(name, err));
    if (!path) continue;
    try {
      const contest = options.against === undefined ? path : against(path, options.against);
      const report = await run(contest, options);
      reports.push(report);
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
  const text = JSON.stringify({ at, machine, options, reports }, null, 2);
  const file = new URL(`${at.replace(/[:.]/g, '-')}.json`, RESULTS);
  await writeFile(file, `${text}\n`);
  process.stdout.write(options.json ? `${text}\n` : `written to ${fileURLToPath(file)}\n`);
  // A wrong answer makes its figures worthless; a missed goal is a result.
  if (reports.some(({ measurements }) => measurements.some(({ errors }) => errors > 0))) process.exitCode = 1;
}

main().catch((err: unknown) => {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
});
