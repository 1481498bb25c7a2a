import type { BenchPath, Role } from './bench-path.ts';
import { drive, type Exchange } from './load.ts';
import { median, percentile } from './statistics.ts';
import { startTarget, type Target } from './target.ts';

export interface MeasureOptions {
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly requestsPerRound: number;
  /** Where to write a CPU profile of the last round of each program; undefined: none. */
  readonly profilePath: ((role: Role, connections: number) => string) | undefined;
  readonly onProgress: (text: string) => void;
}

/** Of one program at one number of connections; medians over the rounds. */
export interface Measurement {
  readonly role: Role;
  readonly program: string;
  readonly connections: number;
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  /** Since the start of the process, in all its rounds so far */
  readonly peakMemoryMb: number;
  /** CPU per request of each round, to judge how steady the median is */
  readonly cpuMsPerRequestByRound: readonly number[];
}

interface Round {
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: readonly string[];
  readonly peakMemoryMb: number;
}

/** At each number of connections; V8 goes on optimizing for some thousand requests. */
const WARM_UP_ROUNDS = 3;

const ROLES = ['target', 'floor', 'peer'] as const;

/**
 * Starts the three programs of a path afresh, warms them up, and measures them in turns: what else the machine does then
 * falls on all of them alike.
 */
export async function measure(path: BenchPath, options: MeasureOptions): Promise<Measurement[]> {
  const running = new Map<Role, Target>();
  try {
    for (const role of ROLES) running.set(role, await startTarget(path.programs[role]));
    options.onProgress('warming up');
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const connections of options.connections) {
        const exchanges = await path.exchanges(options.requestsPerRound);
        for (const target of running.values()) await drive(target.origin, exchanges, connections);
      }
    }
    const measurements: Measurement[] = [];
    for (const connections of options.connections) {
      const rounds = await runRounds(path, running, connections, options);
      for (const [role, results] of rounds) {
        measurements.push(summarize(role, path.programs[role].name, connections, results));
      }
    }
    return measurements;
  } finally {
    await Promise.all([...running.values()].map((target) => target.stop()));
  }
}

async function runRounds(
  path: BenchPath,
  running: ReadonlyMap<Role, Target>,
  connections: number,
  options: MeasureOptions,
): Promise<Map<Role, Round[]>> {
  const results = new Map<Role, Round[]>([...running.keys()].map((role) => [role, []]));
  for (let number = 1; number <= options.rounds; number += 1) {
    options.onProgress(`connections ${connections}, round ${number} of ${options.rounds}`);
    const exchanges = await path.exchanges(options.requestsPerRound);
    for (const [role, target] of running) {
      results.get(role)?.push(await runRound(target, exchanges, connections));
    }
  }
  if (options.profilePath) {
    // A round of its own: profiling costs CPU that no figure may contain.
    const exchanges = await path.exchanges(options.requestsPerRound);
    for (const [role, target] of running) {
      await target.startProfile();
      await drive(target.origin, exchanges, connections);
      await target.stopProfile(options.profilePath(role, connections));
    }
  }
  return results;
}

async function runRound(target: Target, exchanges: readonly Exchange[], connections: number): Promise<Round> {
  const before = await target.usage();
  const load = await drive(target.origin, exchanges, connections);
  const after = await target.usage();
  return {
    cpuMsPerRequest: (after.cpuMs - before.cpuMs) / exchanges.length,
    requestsPerSecond: (exchanges.length / load.durationMs) * 1000,
    p50Ms: percentile(load.latenciesMs, 0.5),
    p99Ms: percentile(load.latenciesMs, 0.99),
    errors: load.errors,
    peakMemoryMb: after.peakMemoryMb,
  };
}

function summarize(role: Role, program: string, connections: number, rounds: readonly Round[]): Measurement {
  const medianOf = (value: (round: Round) => number): number => median(rounds.map(value));
  return {
    role,
    program,
    connections,
    cpuMsPerRequest: medianOf((round) => round.cpuMsPerRequest),
    requestsPerSecond: medianOf((round) => round.requestsPerSecond),
    p50Ms: medianOf((round) => round.p50Ms),
    p99Ms: medianOf((round) => round.p99Ms),
    errors: rounds.reduce((sum, round) => sum + round.errors.length, 0),
    firstError: rounds.flatMap((round) => round.errors)[0],
    peakMemoryMb: Math.max(...rounds.map((round) => round.peakMemoryMb)),
    cpuMsPerRequestByRound: rounds.map((round) => round.cpuMsPerRequest),
  };
}
