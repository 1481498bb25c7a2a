import { requireConnector } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import type { ConnectorSet } from '../../domain/connector-set.ts';
import { type Naming, prefixed, unprefixed } from './names.ts';

/** The connectors of one request: all of the caller's at `/mcp`, or one at `/mcp/{connector_id}` */
export interface McpEndpoint {
  readonly isSingle: boolean;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Ids of unusable connectors */
  readonly faults: readonly string[];
  readonly naming: Naming;
}

/** @throws {Problem} 404 or 502 if the connector of the path cannot be used */
export function openMcpEndpoint(own: ConnectorSet, connectorId: string | undefined): McpEndpoint {
  const { connectors, faults } = own;
  if (connectorId === undefined)
    return { isSingle: false, connectors, faults: [...faults.keys()], naming: prefixed(connectors) };
  const connector = requireConnector(own, connectorId);
  return {
    isSingle: true,
    connectors: new Map([[connector.id, connector]]),
    faults: [],
    naming: unprefixed(connector),
  };
}
