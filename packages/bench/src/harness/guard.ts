import type { BenchPath } from './bench-path.ts';
import { cpuRatio, isFloor, loadsIn, type PathReport } from './report.ts';

/** Removes the peers of a path, because they change little and take most of the time. */
export const withoutPeers = (path: BenchPath): BenchPath => ({ ...path, peers: [] });

/**
 * Returns a line for each load under which the target takes too much CPU per request.
 * @param bound highest acceptable ratio to the floor's CPU
 */
export function excessesOf({ path, measurements }: PathReport, bound: number): string[] {
  return loadsIn(measurements).flatMap((load) => {
    const ratio = cpuRatio(measurements, load, isFloor);
    if (ratio <= bound) return []; // also false if the load was not measured
    return [`${path}, ${load}: ${ratio.toFixed(1)} x the CPU of the floor, at most ${bound} is expected`];
  });
}
