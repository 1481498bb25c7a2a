import type { ConnectorId } from '@legate/ids';
import type { HttpClient, Problem } from '@legate/service';
import type { MakeChange } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import type { Author } from '../../domain/author.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Stored } from '../../domain/stored.ts';
import type { Connector } from './connector.ts';
import { type Discovered, discoverResource, issuerAt } from './discovery.ts';
import { findIssuerFault, isListedOtherwise } from './issuer-fault.ts';
import type { Connectors } from './service.ts';
import type { CheckResult, ConnectorStore } from './store.ts';

/**
 * Fetches the metadata of a connector's tool server, and stores it.
 * @throws {Problem} 404; 502 `resource_unreachable`, after storing the failure; 409 `resource_changed`
 */
export type CheckConnector = (author: Author, id: ConnectorId) => Promise<Stored<Connector>>;

const FIELDS = ['status', 'metadata', 'last_error'] as const;

export function createConnectorCheck(deps: {
  connectors: Connectors;
  store: ConnectorStore;
  makeChange: MakeChange;
  getJson: HttpClient['getJson'];
  clock: () => Date;
  /** Issuer of the identity provider */
  idpIssuer: string;
}): CheckConnector {
  const { connectors, store, makeChange, getJson, clock, idpIssuer } = deps;
  return async (author, id) => {
    const { value: connector } = await connectors.find(author.organizationId, id);
    // Outside any transaction: a slow tool server must not hold a database connection.
    const discovered = await discoverResource(connector.resource_url, getJson);
    const spelled = await spellingOf(connector, discovered, getJson);
    const saved = await makeChange(author, async (change) => {
      const before = await connectors.lock(change, id);
      // The resource was changed in the meantime, so the result does not apply to it.
      if (before.resource_url !== connector.resource_url) throw resourceChanged();
      const result = resultOf(discovered, { spelled, idpIssuer }, before, clock().toISOString());
      const after = await store.saveCheck(change, id, result);
      await change.record({
        action: 'connector.checked',
        targets: [{ type: 'connector', id, name: before.name }],
        changes: changesBetween(before, after.value, FIELDS),
      });
      return after;
    });
    if (discovered.kind === 'unreachable') throw unreachable(discovered.code);
    return saved;
  };
}

/** Reads the metadata of a pinned issuer that is listed in another spelling, to learn its own (RFC 8414 §3.3). */
const spellingOf = async (
  { issuer }: Connector,
  discovered: Discovered,
  getJson: HttpClient['getJson'],
): Promise<string | undefined> =>
  discovered.kind === 'found' &&
  issuer !== null &&
  isListedOtherwise({ issuer }, discovered.authorizationServers)
    ? issuerAt(issuer, getJson)
    : undefined;

/** Keeps the stored metadata if the server cannot be reached. */
function resultOf(
  discovered: Discovered,
  { spelled, idpIssuer }: { spelled: string | undefined; idpIssuer: string },
  connector: Connector,
  at: string,
): CheckResult {
  if (discovered.kind !== 'found') {
    return { status: 'error', metadata: connector.metadata, last_error: { code: discovered.code, at } };
  }
  const { authorizationServers, scopesSupported } = discovered;
  const fault = findIssuerFault(connector, authorizationServers, spelled, idpIssuer);
  return {
    status: fault ? 'error' : 'ready',
    metadata: {
      authorization_servers: authorizationServers,
      scopes_supported: scopesSupported,
      checked_at: at,
    },
    last_error: fault ? { code: fault, at } : null,
  };
}

const unreachable = (reason: 'unreachable' | 'address_forbidden'): Problem =>
  problem('resource_unreachable', {
    detail:
      reason === 'address_forbidden'
        ? 'The name of the tool server resolves to an address that this deployment does not allow.'
        : 'The tool server did not respond.',
  });

const resourceChanged = (): Problem =>
  problem('resource_changed', { detail: 'resource_url was changed during the check. Check again.' });
