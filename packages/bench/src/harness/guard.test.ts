import { expect, it } from '@jest/globals';
import type { Role } from './bench-path.ts';
import { excessesOf } from './guard.ts';
import type { Measurement } from './measure.ts';

const measured = (role: Role, load: string, cpuMsPerRequest: number) =>
  ({ role, program: role, load, cpuMsPerRequest }) as Measurement;

const MEASUREMENTS = [
  ...[measured('target', 'one', 0.5), measured('floor', 'one', 0.1)],
  ...[measured('target', 'many', 0.3), measured('floor', 'many', 0.1)],
];

const report = (measurements: readonly Measurement[]) => ({
  path: 'a path',
  comparisons: [],
  added: [],
  measurements,
});

it('accepts a path that stays within its bound under every load', () => {
  expect(excessesOf(report(MEASUREMENTS), 5)).toEqual([]);
});

it('reports each load that costs more', () => {
  expect(excessesOf(report(MEASUREMENTS), 4)).toEqual([
    'a path, one: 5.0 x the CPU of the floor, at most 4 is expected',
  ]);
});

it('fails for a load that was not measured', () => {
  expect(excessesOf(report(MEASUREMENTS.slice(0, 1)), 5)).toHaveLength(1);
});
