import type { Goals } from './bench-path.ts';
import type { Measurement } from './measure.ts';

/** The target against one peer, under one load. */
export interface Comparison {
  readonly peer: string;
  readonly load: string;
  readonly goal: number | undefined;
  /** The target's CPU per request in relation to the peer's */
  readonly ratio: number;
  /** Undefined if there is no goal */
  readonly goalReached: boolean | undefined;
}

/** How much longer requests take through the target than at its floor, under one load. */
export interface AddedLatency {
  readonly load: string;
  /** The difference of the medians over the rounds */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The difference in each round, which both programs run one after the other */
  readonly p50MsByRound: readonly number[];
  readonly p99MsByRound: readonly number[];
}

/** The results of one path. */
export interface PathReport {
  readonly path: string;
  readonly comparisons: readonly Comparison[];
  /** Empty unless the floor is what the target forwards to */
  readonly added: readonly AddedLatency[];
  readonly measurements: readonly Measurement[];
}

export const loadsIn = (measurements: readonly Measurement[]): string[] => [
  ...new Set(measurements.map(({ load }) => load)),
];

/** CPU per request of the target in relation to another program's, under one load. */
export function cpuRatio(
  measurements: readonly Measurement[],
  load: string,
  to: (each: Measurement) => boolean,
): number {
  const cpuOf = (is: (each: Measurement) => boolean): number =>
    measurements.find((each) => each.load === load && is(each))?.cpuMsPerRequest ?? Number.NaN;
  return cpuOf(({ role }) => role === 'target') / cpuOf(to);
}

export const isFloor = ({ role }: Measurement): boolean => role === 'floor';

const isPeer =
  (peer: string) =>
  ({ role, program }: Measurement): boolean =>
    role === 'peer' && program === peer;

export function addedLatencies(measurements: readonly Measurement[]): AddedLatency[] {
  return loadsIn(measurements).flatMap((load) => {
    const some = measurements.filter((each) => each.load === load);
    const target = some.find(({ role }) => role === 'target');
    const floor = some.find(isFloor);
    if (!target || !floor) return [];
    const minus = (values: readonly number[], others: readonly number[]): number[] =>
      values.map((value, round) => value - (others[round] ?? Number.NaN));
    return {
      load,
      p50Ms: target.p50Ms - floor.p50Ms,
      p99Ms: target.p99Ms - floor.p99Ms,
      p50MsByRound: minus(target.p50MsByRound, floor.p50MsByRound),
      p99MsByRound: minus(target.p99MsByRound, floor.p99MsByRound),
    };
  });
}

export function toReport(
  path: {
    name: string;
    isFloorBehindTarget?: boolean;
    peers: readonly { program: { name: string }; goals?: Goals }[];
  },
  measurements: readonly Measurement[],
): PathReport {
  const comparisons = path.peers.flatMap(({ program: { name: peer }, goals }) =>
    loadsIn(measurements).map((load) => {
      const ratio = cpuRatio(measurements, load, isPeer(peer));
      const goal = goals?.[load];
      return { peer, load, goal, ratio, goalReached: goal === undefined ? undefined : ratio <= goal };
    }),
  );
  const added = path.isFloorBehindTarget ? addedLatencies(measurements) : [];
  return { path: path.name, comparisons, added, measurements };
}

const COLUMNS: readonly (readonly [string, (each: Measurement) => string])[] = [
  ['', ({ role }) => role],
  ['program', ({ program }) => program],
  ['load', ({ load }) => load],
  ['CPU ms/req', ({ cpuMsPerRequest }) => cpuMsPerRequest.toFixed(3)],
  ['req/s', ({ requestsPerSecond }) => requestsPerSecond.toFixed(0)],
  ['p50 ms', ({ p50Ms }) => p50Ms.toFixed(2)],
  ['p99 ms', ({ p99Ms }) => p99Ms.toFixed(2)],
  ['errors', ({ errors }) => String(errors)],
  ['peak MB', ({ peakMemoryMb }) => peakMemoryMb.toFixed(0)],
];

/** Formats the results for a terminal: a table, then the ratios. */
export function formatReport({ path, comparisons, added, measurements }: PathReport): string {
  const ratios = loadsIn(measurements).map((load) => {
    const toPeers = comparisons
      .filter((each) => each.load === load)
      .map(({ peer, ratio }) => `${ratio.toFixed(2)} x the CPU of ${peer}`);
    const toFloor = cpuRatio(measurements, load, isFloor).toFixed(2);
    return `${load}: ${[...toPeers, `${toFloor} x that of the floor`].join(', ')}`;
  });
  const verdicts = comparisons.flatMap(({ peer, load, goal, ratio, goalReached }) =>
    goal === undefined
      ? []
      : [
          `goal for ${load}: ${goal.toFixed(2)} x the CPU of ${peer}, ${goalReached ? 'reached' : 'missed'} (${ratio.toFixed(2)})`,
        ],
  );
  const faults = measurements
    .filter(({ errors }) => errors > 0)
    .map(({ program, firstError }) => `${program}: wrong answers, the first: ${firstError}`);
  const additions = added.map(
    ({ load, p50Ms, p99Ms }) => `${load}: adds p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
  );
  const table = formatTable(measurements);
  return [path, '', ...table, '', ...additions, ...ratios, ...verdicts, ...faults, ''].join('\n');
}

/** Number of text columns, which are left-aligned. */
const TEXT_COLUMNS = 3;

function formatTable(measurements: readonly Measurement[]): string[] {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...measurements.map((each) => COLUMNS.map(([, cell]) => cell(each))),
  ];
  const widths = COLUMNS.map((_column, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index < TEXT_COLUMNS ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
