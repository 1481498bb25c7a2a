import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BenchPath } from './harness/bench-path.ts';
import { measure } from './harness/measure.ts';
import { summarizeProfile } from './harness/profile-summary.ts';
import { formatReport, type PathReport, toReport } from './harness/report.ts';
import { openJwtBearerPath } from './jwt-bearer/jwt-bearer.ts';
import { type Options, parseOptions, USAGE } from './options.ts';
import { openToolsCallPath } from './tools-call/tools-call.ts';

const RESULTS = new URL('../../../bench-results/', import.meta.url);
const CONNECTIONS = [1, 16];

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

async function run(path: BenchPath, options: Options): Promise<PathReport> {
  const profiles: string[] = [];
  const measurements = await measure(path, {
    connections: CONNECTIONS,
    rounds: options.rounds,
    requestsPerRound: options.requestsPerRound,
    profilePath: options.profile
      ? (role, connections) => {
          const file = new URL(`${slug(path.name)}-${role}-${connections}.cpuprofile`, RESULTS);
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

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  await mkdir(RESULTS, { recursive: true });
  const reports: PathReport[] = [];
  for (const open of [openJwtBearerPath, openToolsCallPath]) {
    const path = await open();
    try {
      if (options.only !== undefined && !path.name.includes(options.only)) continue;
      const report = await run(path, options);
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
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n${USAGE}\n`);
  process.exitCode = 1;
});
