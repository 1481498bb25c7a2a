import type { BenchPath, Load, Role } from './bench-path.ts';
import { drive, type Exchange } from './load.ts';
import { median, percentile } from './statistics.ts';
import { type Program, startTarget, type Target } from './target.ts';

export interface MeasureOptions {
  readonly rounds: number;
  /** Upper limit; a load may use fewer. */
  readonly requestsPerRound: number;
  /** Where to write a CPU profile of the last round of each program; undefined writes none. */
  readonly profilePath: ((program: string, load: string) => string) | undefined;
  readonly onProgress: (text: string) => void;
}

/** Results of one program under one load; medians over the rounds. */
export interface Measurement {
  readonly role: Role;
  readonly program: string;
  readonly load: string;
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  /** Peak since the start of the process, over all its rounds so far */
  readonly peakMemoryMb: number;
  /** CPU time per request of each round, to show how much the rounds vary */
  readonly cpuMsPerRequestByRound: readonly number[];
}

interface Contender {
  readonly role: Role;
  readonly target: Target;
  /** Adapts an exchange of the load to this program. */
  readonly adapt: (exchange: Exchange) => Exchange;
}

interface Round {
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: readonly string[];
  readonly peakMemoryMb: number;
}

/** Rounds of each load that are not measured: V8 keeps optimizing for several thousand requests. */
const WARM_UP_ROUNDS = 3;

/**
 * Starts the programs of a path in new processes, warms them up, and measures them in turns, so that other work on the
 * machine affects all of them equally.
 */
export async function measure(path: BenchPath, options: MeasureOptions): Promise<Measurement[]> {
  const running: Contender[] = [];
  const start = async (role: Role, program: Program) => {
    const contender = { role, target: await startTarget(program), adapt: (exchange: Exchange) => exchange };
    running.push(contender);
    if (program.prepare) contender.adapt = await program.prepare(contender.target.origin);
  };
  try {
    await start('target', path.target);
    await start('floor', path.floor);
    for (const { program } of path.peers) await start('peer', program);
    options.onProgress('warming up');
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const load of path.loads) {
        const exchanges = await exchangesOf(load, options);
        for (const { target, adapt } of running)
          await drive(target.origin, exchanges.map(adapt), load.connections);
      }
    }
    const measurements: Measurement[] = [];
    for (const load of path.loads) {
      const rounds = await runRounds(load, running, options);
      for (const [{ role, target }, results] of rounds) {
        measurements.push(summarize(role, target.name, load.name, results));
      }
    }
    return measurements;
  } finally {
    await Promise.all(running.map(({ target }) => target.stop()));
  }
}

const exchangesOf = (load: Load, options: MeasureOptions): Promise<readonly Exchange[]> =>
  load.exchanges(Math.min(load.requestsPerRound ?? options.requestsPerRound, options.requestsPerRound));

async function runRounds(
  load: Load,
  running: readonly Contender[],
  options: MeasureOptions,
): Promise<Map<Contender, Round[]>> {
  const results = new Map<Contender, Round[]>(running.map((contender) => [contender, []]));
  for (let number = 1; number <= options.rounds; number += 1) {
    options.onProgress(`${load.name}, round ${number} of ${options.rounds}`);
    const exchanges = await exchangesOf(load, options);
    for (const [{ target, adapt }, rounds] of results) {
      const own = exchanges.map(adapt);
      if (load.isWarmed) await drive(target.origin, own, load.connections);
      rounds.push(await runRound(target, own, load.connections));
    }
  }
  if (options.profilePath) {
    // Profiling runs in a separate round because it costs CPU that must not be measured.
    const exchanges = await exchangesOf(load, options);
    for (const { target, adapt } of running) {
      const own = exchanges.map(adapt);
      if (load.isWarmed) await drive(target.origin, own, load.connections);
      await target.startProfile();
      await drive(target.origin, own, load.connections);
      await target.stopProfile(options.profilePath(target.name, load.name));
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

function summarize(role: Role, program: string, load: string, rounds: readonly Round[]): Measurement {
  const medianOf = (value: (round: Round) => number): number => median(rounds.map(value));
  return {
    role,
    program,
    load,
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
