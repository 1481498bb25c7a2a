import { PROGRAMS } from './programs.js';

/** Factor for the number of tries: outside CI a property is tried a fifth as often. */
const factor = Number(process.env.PROPERTY_RUNS || (PROGRAMS.time.find() ? 1 : 0.2));

/**
 * Returns fast-check's parameter for a property that is tried `count` times in CI. `PROPERTY_RUNS=20` multiplies that
 * number, for a run over night.
 */
export const runs = (count: number): { numRuns: number } => ({ numRuns: Math.ceil(count * factor) });
