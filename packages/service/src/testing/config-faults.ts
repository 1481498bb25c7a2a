import { ConfigError } from '../configuration/reading.ts';

/** The faults for which a configuration is refused; none where it is not. @throws {Error} what is no `ConfigError` */
export function configFaults(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (err) {
    if (err instanceof ConfigError) return err.faults;
    throw err;
  }
}

/** The part before the colon of each: variables, or files. Sorted */
export const namesAtFault = (faults: readonly string[]): readonly string[] =>
  faults.map((fault) => fault.split(':')[0] ?? fault).sort();
