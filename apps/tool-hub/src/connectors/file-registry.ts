import { ConfigError, readJsonFile } from '@legate/service';
import { type ConnectorRegistry, createConnectorRegistry } from '../domain/registry.ts';
import { ConnectorsDocument } from './connectors-document.ts';

/**
 * The connectors of a JSON file, for a hub that runs alone.
 * @throws {ConfigError} the file cannot be used, or is the development scene in production
 */
export function readConnectorsFile(
  path: string,
  options: { env: NodeJS.ProcessEnv; production: boolean },
): ConnectorRegistry {
  const document = readJsonFile(path, ConnectorsDocument, options.env);
  if (document.development && options.production)
    throw new ConfigError([`${path}: holds public development secrets and is refused in production`]);
  try {
    return createConnectorRegistry(document.connectors);
  } catch (err) {
    throw new ConfigError([`${path}: ${err instanceof Error ? err.message : 'cannot be used'}`]);
  }
}
