import type { BenchPath, Load, Role } from './bench-path.ts';
import { drive, type Exchange, type Pace } from './load.ts';
import type { Usage } from './probe-messages.ts';
import { median, percentile } from './statistics.ts';
import { type Program, startTarget, type Target } from './target.ts';

export interface MeasureOptions {
  readonly rounds: number;
  /** Upper limit; a load may use fewer. */
  readonly requestsPerRound: number;
  /** Where to write a CPU profile of each program; undefined writes none. */
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
  /** Values of each round, to show how much the rounds vary */
  readonly cpuMsPerRequestByRound: readonly number[];
  readonly p50MsByRound: readonly number[];
  readonly p99MsByRound: readonly number[];
}

interface Contender {
  readonly role: Role;
  readonly name: string;
  /** One for each process */
  readonly targets: Target[];
  /** Adapts an exchange of the load to this program. */
  adapt: (exchange: Exchange) => Exchange;
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

const PROFILED_ROUNDS = 5;

/**
 * Starts the programs of a path in new processes, warms them up, and measures them in turns, so that other work on the
 * machine affects all of them equally.
 */
export async function measure(path: BenchPath, options: MeasureOptions): Promise<Measurement[]> {
  const running: Contender[] = [];
  const start = async (role: Role, program: Program) => {
    const contender: Contender = { role, name: program.name, targets: [], adapt: (exchange) => exchange };
    running.push(contender);
    for (let i = 0; i < (program.processes ?? 1); i += 1) contender.targets.push(await startTarget(program));
    const [first] = originsOf(contender.targets);
    if (program.prepare && first !== undefined) contender.adapt = await program.prepare(first);
  };
  try {
    await start('target', path.target);
    await start('floor', path.floor);
    for (const { program } of path.peers) await start('peer', program);
    options.onProgress('warming up');
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const load of path.loads) {
        const exchanges = await exchangesOf(load, options);
        for (const contender of running)
          await drive(originsOf(contender.targets), exchanges.map(contender.adapt), load);
      }
    }
    const measurements: Measurement[] = [];
    for (const load of path.loads) {
      const rounds = await runRounds(load, running, options);
      for (const [{ role, name }, results] of rounds) {
        measurements.push(summarize(role, name, load.name, results));
      }
    }
    return measurements;
  } finally {
    await Promise.all(running.flatMap(({ targets }) => targets.map((target) => target.stop())));
  }
}

/** The processes that get a load */
const targetsOf = ({ processes }: Load, { targets }: Contender): readonly Target[] =>
  targets.slice(0, processes);

const originsOf = (targets: readonly Target[]): string[] => targets.map(({ origin }) => origin);

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
    for (const [contender, rounds] of results) {
      const targets = targetsOf(load, contender);
      const own = exchanges.map(contender.adapt);
      if (load.isWarmed) await drive(originsOf(targets), own, load);
      rounds.push(await runRound(targets, own, load));
    }
  }
  if (options.profilePath) {
    for (const contender of running)
      await profile(contender, load, options, options.profilePath(contender.name, load.name));
  }
  return results;
}

/** Profiles further rounds: profiling costs CPU that must not be measured. */
async function profile(
  contender: Contender,
  load: Load,
  options: MeasureOptions,
  path: string,
): Promise<void> {
  const targets = targetsOf(load, contender);
  const [profiled] = targets;
  const newExchanges = async () => (await exchangesOf(load, options)).map(contender.adapt);
  const warm = load.isWarmed ? await newExchanges() : undefined;
  if (warm) await drive(originsOf(targets), warm, load);
  await profiled?.startProfile();
  for (let round = 1; round <= PROFILED_ROUNDS; round += 1)
    await drive(originsOf(targets), warm ?? (await newExchanges()), load);
  await profiled?.stopProfile(path);
}

async function runRound(
  targets: readonly Target[],
  exchanges: readonly Exchange[],
  pace: Pace,
): Promise<Round> {
  const before = await usageOf(targets);
  const load = await drive(originsOf(targets), exchanges, pace);
  const after = await usageOf(targets);
  return {
    cpuMsPerRequest: (after.cpuMs - before.cpuMs) / exchanges.length,
    requestsPerSecond: (exchanges.length / load.durationMs) * 1000,
    p50Ms: percentile(load.latenciesMs, 0.5),
    p99Ms: percentile(load.latenciesMs, 0.99),
    errors: load.errors,
    peakMemoryMb: after.peakMemoryMb,
  };
}

/** Sums up the processes. */
async function usageOf(targets: readonly Target[]): Promise<Pick<Usage, 'cpuMs' | 'peakMemoryMb'>> {
  const usages = await Promise.all(targets.map((target) => target.usage()));
  const sumOf = (value: (usage: Usage) => number): number =>
    usages.reduce((sum, usage) => sum + value(usage), 0);
  return { cpuMs: sumOf(({ cpuMs }) => cpuMs), peakMemoryMb: sumOf(({ peakMemoryMb }) => peakMemoryMb) };
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
    p50MsByRound: rounds.map((round) => round.p50Ms),
    p99MsByRound: rounds.map((round) => round.p99Ms),
  };
}
