import { requireConnector } from '../../connectors/access.ts';
import type { Connector } from '../../domain/connector.ts';
import type { ConnectorSet } from '../../domain/connector-set.ts';
import { type Naming, prefixed, unprefixed } from './names.ts';

/** What one request may reach: `/mcp` leads to all connectors of its caller, `/mcp/{connector_id}` to one. */
export interface Door {
  readonly isSingle: boolean;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Ids of connectors that are there and cannot be used */
  readonly faults: readonly string[];
  readonly naming: Naming;
}

/** @throws {Problem} 404 or 502 when the one connector cannot be used */
export function openDoor(own: ConnectorSet, connectorId: string | undefined): Door {
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
