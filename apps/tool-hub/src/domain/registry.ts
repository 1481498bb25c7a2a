import type { OrganizationId } from '@legate/ids';
import type { ActiveRequest } from '@legate/service';
import type { Connector } from './connector.ts';
import { NO_CONNECTORS, type OrganizationConnectors, organizationConnectors } from './connector-set.ts';

/**
 * Which connectors an organization has. Every question names the organization: a connector of another one does not exist
 * for it.
 */
export interface ConnectorRegistry {
  /**
   * As of one moment; one that nobody knows has none.
   * @param within whose ids management-api is told where it has to be asked
   * @throws {Problem} 403 `organization_suspended`, 503 `connectors_unavailable`
   */
  of(organizationId: OrganizationId, within?: ActiveRequest): Promise<OrganizationConnectors>;
  /** What is known of the organization may be wrong from now on. */
  forget(organizationId: OrganizationId): void;
}

/**
 * Connectors that do not change, of organizations without agents.
 * @throws {Error} when one organization has the same connector id twice
 */
export function createConnectorRegistry(connectors: readonly Connector[]): ConnectorRegistry {
  const byOrganization = new Map<string, Map<string, Connector>>();
  for (const connector of connectors) {
    const own = byOrganization.get(connector.organizationId) ?? new Map<string, Connector>();
    if (own.has(connector.id))
      throw new Error(`connector ${connector.id} is there twice for ${connector.organizationId}`);
    byOrganization.set(connector.organizationId, own.set(connector.id, connector));
  }
  const sets = new Map(
    [...byOrganization].map(([id, own]) => [id, organizationConnectors(own, new Map(), [])] as const),
  );
  return {
    of: async (organizationId) => sets.get(organizationId) ?? NO_CONNECTORS,
    forget: () => undefined,
  };
}
