import { expect, it } from '@jest/globals';
import type { Role } from './bench-path.ts';
import type { Measurement } from './measure.ts';
import { formatReport, toReport } from './report.ts';

const measured = (role: Role, connections: number, cpuMsPerRequest: number, errors = 0): Measurement => ({
  role,
  program: `${role}-program`,
  connections,
  cpuMsPerRequest,
  requestsPerSecond: 1234.5,
  p50Ms: 1,
  p99Ms: 2,
  errors,
  firstError: errors > 0 ? 'status 500' : undefined,
  peakMemoryMb: 99.6,
  cpuMsPerRequestByRound: [cpuMsPerRequest],
});

const MEASUREMENTS = [
  ...[measured('target', 1, 0.3), measured('floor', 1, 0.1), measured('peer', 1, 1)],
  ...[measured('target', 16, 0.2), measured('floor', 16, 0.1), measured('peer', 16, 0.5)],
];

it('judges by the worst ratio to the peer', () => {
  const path = { name: 'a path', goal: 0.4 };
  expect(toReport(path, MEASUREMENTS)).toMatchObject({ ratioToPeer: 0.4, goalReached: true });
  expect(toReport({ ...path, goal: 0.39 }, MEASUREMENTS).goalReached).toBe(false);
});

it('reaches no goal without a peer to compare with', () => {
  const alone = [measured('target', 1, 0.1)];
  expect(toReport({ name: 'a path', goal: 1 }, alone).goalReached).toBe(false);
});

it('shows every measurement and both ratios at each number of connections', () => {
  const text = formatReport(toReport({ name: 'a path', goal: 0.25 }, MEASUREMENTS));
  expect(text.match(/^(target|floor|peer) /gm)).toHaveLength(6);
  expect(text).toContain('1 connection: 0.30 x the CPU of the peer, 3.00 x that of the floor');
  expect(text).toContain('16 connections: 0.40 x the CPU of the peer, 2.00 x that of the floor');
  expect(text).toContain('goal: 0.25 x the CPU of the peer, missed (0.40 at worst)');
  expect(text).toMatch(/target {2}target-program +1 +0\.300 +1235 +1\.00 +2\.00 +0 +100$/m);
});

it('shows the first wrong answer of a program', () => {
  const text = formatReport(toReport({ name: 'a path', goal: 1 }, [measured('target', 1, 1, 3)]));
  expect(text).toContain('target-program: wrong answers, the first: status 500');
});
