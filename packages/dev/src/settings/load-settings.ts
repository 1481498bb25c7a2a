import { describeSettings, type Setting } from '@legate/service';
import { ROOT, SERVICE_NAMES, type ServiceName } from '../stack/services.ts';

/** Loads the settings of each service from its build, because apps must not be imported. */
export async function loadSettings(): Promise<ReadonlyMap<ServiceName, readonly Setting[]>> {
  const all = new Map<ServiceName, readonly Setting[]>();
  for (const name of SERVICE_NAMES) {
    const { Environment } = await import(`${ROOT}apps/${name}/dist/config.js`);
    all.set(name, describeSettings(Environment));
  }
  return all;
}
