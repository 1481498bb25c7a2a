import { requireConnector } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import type { ConnectorSet } from '../../domain/connector-set.ts';
import { type Naming, prefixed, unprefixed } from './names.ts';

/** The connectors of one request: `/mcp` serves all of its caller's, `/mcp/{connector_id}` one. */
export interface McpEndpoint {
  readonly isSingle: boolean;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Ids of unusable connectors */
  readonly faults: readonly string[];
  readonly naming: Naming;
}

/** @throws {Problem} 404 or 502 when the one connector cannot be used */
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
