import type { BenchPath, Role } from './bench-path.ts';
import type { Measurement } from './measure.ts';

/** What one path came to. */
export interface PathReport {
  readonly path: string;
  readonly goal: number;
  /** The target's CPU per request in relation to the peer's, the worst over the numbers of connections. */
  readonly ratioToPeer: number;
  readonly goalReached: boolean;
  readonly measurements: readonly Measurement[];
}

/** CPU per request of the target in relation to another role's, at one number of connections. */
function ratio(measurements: readonly Measurement[], connections: number, to: Role): number {
  const cpuOf = (role: Role): number =>
    measurements.find((each) => each.role === role && each.connections === connections)?.cpuMsPerRequest ??
    Number.NaN;
  return cpuOf('target') / cpuOf(to);
}

const connectionsIn = (measurements: readonly Measurement[]): number[] => [
  ...new Set(measurements.map(({ connections }) => connections)),
];

export function toReport(
  path: Pick<BenchPath, 'name' | 'goal'>,
  measurements: readonly Measurement[],
): PathReport {
  const ratioToPeer = Math.max(
    ...connectionsIn(measurements).map((connections) => ratio(measurements, connections, 'peer')),
  );
  const goalReached = ratioToPeer <= path.goal;
  return { path: path.name, goal: path.goal, ratioToPeer, goalReached, measurements };
}

const COLUMNS: readonly (readonly [string, (each: Measurement) => string])[] = [
  ['', ({ role }) => role],
  ['program', ({ program }) => program],
  ['conn', ({ connections }) => String(connections)],
  ['CPU ms/req', ({ cpuMsPerRequest }) => cpuMsPerRequest.toFixed(3)],
  ['req/s', ({ requestsPerSecond }) => requestsPerSecond.toFixed(0)],
  ['p50 ms', ({ p50Ms }) => p50Ms.toFixed(2)],
  ['p99 ms', ({ p99Ms }) => p99Ms.toFixed(2)],
  ['errors', ({ errors }) => String(errors)],
  ['peak MB', ({ peakMemoryMb }) => peakMemoryMb.toFixed(0)],
];

/** For a terminal: a table, then the ratios. */
export function formatReport({ path, goal, ratioToPeer, goalReached, measurements }: PathReport): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...measurements.map((each) => COLUMNS.map(([, cell]) => cell(each))),
  ];
  const widths = COLUMNS.map((_column, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, index) => (index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const ratios = connectionsIn(measurements).map((connections) => {
    const [peer, floor] = (['peer', 'floor'] as const).map((role) =>
      ratio(measurements, connections, role).toFixed(2),
    );
    const count = connections === 1 ? '1 connection' : `${connections} connections`;
    return `${count}: ${peer} x the CPU of the peer, ${floor} x that of the floor`;
  });
  const worst = `${goalReached ? 'reached' : 'missed'} (${ratioToPeer.toFixed(2)} at worst)`;
  const verdict = `goal: ${goal.toFixed(2)} x the CPU of the peer, ${worst}`;
  const faults = measurements
    .filter(({ errors }) => errors > 0)
    .map(({ program, firstError }) => `${program}: wrong answers, the first: ${firstError}`);
  return [path, '', ...table, '', ...ratios, verdict, ...faults, ''].join('\n');
}
