import { describeSettings, type RemovedSettings, type Setting } from '@legate/service';
import { ROOT, SERVICE_NAMES, type ServiceName } from '../stack/services.ts';

/** The settings that each service had in earlier versions, from its build. */
export async function loadRemovedSettings(): Promise<ReadonlyMap<ServiceName, RemovedSettings>> {
  const all = new Map<ServiceName, RemovedSettings>();
  for (const name of SERVICE_NAMES) {
    const { REMOVED_SETTINGS } = await import(`${ROOT}apps/${name}/dist/config.js`);
    if (REMOVED_SETTINGS) all.set(name, REMOVED_SETTINGS);
  }
  return all;
}

/** The settings of each service, from its build: apps are not imported. */
export async function loadSettings(): Promise<ReadonlyMap<ServiceName, readonly Setting[]>> {
  const all = new Map<ServiceName, readonly Setting[]>();
  for (const name of SERVICE_NAMES) {
    const { Environment } = await import(`${ROOT}apps/${name}/dist/config.js`);
    all.set(name, describeSettings(Environment));
  }
  return all;
}
