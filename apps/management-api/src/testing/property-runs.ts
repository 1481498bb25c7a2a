const factor = Number(process.env.PROPERTY_RUNS || 1);

/**
 * How often a property is tried: each time with other values, so that the runs of the tests on embedded stores and on servers
 * add up. `PROPERTY_RUNS=20` is for a night.
 */
export const runs = (count: number): { numRuns: number } => ({ numRuns: Math.ceil(count * factor) });
