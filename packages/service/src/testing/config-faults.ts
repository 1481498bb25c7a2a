import { ConfigError } from '../config-reading.ts';

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
