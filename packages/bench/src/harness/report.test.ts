import { expect, it } from '@jest/globals';
import type { Goals, Role } from './bench-path.ts';
import type { Measurement } from './measure.ts';
import { addedLatencies, formatReport, toReport } from './report.ts';

const measured = (role: Role, load: string, cpuMsPerRequest: number, errors = 0): Measurement => ({
  role,
  program: `${role}-program`,
  load,
  cpuMsPerRequest,
  requestsPerSecond: 1234.5,
  p50Ms: 1,
  p99Ms: 2,
  errors,
  firstError: errors > 0 ? 'status 500' : undefined,
  peakMemoryMb: 99.6,
  cpuMsPerRequestByRound: [cpuMsPerRequest],
  p50MsByRound: [1],
  p99MsByRound: [2],
});

const MEASUREMENTS = [
  ...[measured('target', 'one', 0.3), measured('floor', 'one', 0.1), measured('peer', 'one', 1)],
  { ...measured('peer', 'one', 0.25), program: 'second-peer' },
  ...[measured('target', 'many', 0.2), measured('floor', 'many', 0.1), measured('peer', 'many', 0.5)],
  { ...measured('peer', 'many', 0.25), program: 'second-peer' },
];

const pathOf = (...peers: readonly [peer: string, goals?: Goals][]) => ({
  name: 'a path',
  peers: peers.map(([name, goals]) => ({ program: { name }, ...(goals && { goals }) })),
});

it('compares the ratio to each peer with the goal of the load', () => {
  const path = pathOf(['peer-program', { one: 0.3, many: 0.35 }], ['second-peer', { one: 1.1 }]);
  expect(toReport(path, MEASUREMENTS).comparisons).toMatchObject([
    { peer: 'peer-program', load: 'one', ratio: 0.3, goalReached: true },
    { peer: 'peer-program', load: 'many', ratio: 0.4, goalReached: false },
    { peer: 'second-peer', load: 'one', ratio: 1.2, goalReached: false },
    { peer: 'second-peer', load: 'many', ratio: 0.8, goalReached: undefined },
  ]);
});

it('does not reach a goal without a peer for comparison', () => {
  const alone = [measured('target', 'one', 0.1)];
  expect(toReport(pathOf(['peer-program', { one: 1 }]), alone).comparisons).toMatchObject([
    { goalReached: false },
  ]);
});

it('shows every measurement and all ratios under each load', () => {
  const text = formatReport(
    toReport(pathOf(['peer-program', { many: 0.25 }], ['second-peer']), MEASUREMENTS),
  );
  expect(text.match(/^(target|floor|peer) /gm)).toHaveLength(8);
  expect(text).toContain(
    'one: 0.30 x the CPU of peer-program, 1.20 x the CPU of second-peer, 3.00 x that of the floor',
  );
  expect(text).toContain(
    'many: 0.40 x the CPU of peer-program, 0.80 x the CPU of second-peer, 2.00 x that of the floor',
  );
  expect(text).toContain('goal for many: 0.25 x the CPU of peer-program, missed (0.40)');
  expect(text.match(/^goal for /gm)).toHaveLength(1);
  expect(text).toMatch(/target {2}target-program {2}one +0\.300 +1235 +1\.00 +2\.00 +0 +100$/m);
});

it('shows the first wrong response of a program', () => {
  const text = formatReport(toReport(pathOf(), [measured('target', 'one', 1, 3)]));
  expect(text).toContain('target-program: wrong answers, the first: status 500');
});

const SLOWER = {
  ...measured('target', 'one', 1),
  p50Ms: 1.5,
  p99Ms: 6,
  p50MsByRound: [1.5, 4],
  p99MsByRound: [6, 9],
};
const DIRECT = { ...measured('floor', 'one', 1), p50MsByRound: [1, 3], p99MsByRound: [2, 3] };

it('subtracts the latency of the floor, in total and round by round', () => {
  expect(addedLatencies([SLOWER, DIRECT, measured('target', 'many', 1)])).toEqual([
    { load: 'one', p50Ms: 0.5, p99Ms: 4, p50MsByRound: [0.5, 1], p99MsByRound: [4, 6] },
  ]);
});

it('shows what the target adds only if the floor is behind it', () => {
  const line = 'one: adds p50 0.50 ms, p99 4.00 ms';
  const path = { name: 'a path', peers: [] };
  expect(formatReport(toReport({ ...path, isFloorBehindTarget: true }, [SLOWER, DIRECT]))).toContain(line);
  expect(formatReport(toReport(path, [SLOWER, DIRECT]))).not.toContain('adds');
});
