import { ConfigError } from '../configuration/reading.ts';

/**
 * Returns the faults for which a configuration is refused, or none. @throws {Error} any error except a `ConfigError`
 */
export function configFaults(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (err) {
    if (err instanceof ConfigError) return err.faults;
    throw err;
  }
}

/** Returns the part before the colon of each fault: variables or files, sorted */
export const namesAtFault = (faults: readonly string[]): readonly string[] =>
  faults.map((fault) => fault.split(':')[0] ?? fault).sort();
