import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { HttpClient } from '@legate/service/outbound';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import type { Connector } from '../../domain/connector.ts';
import type { CertificateKey } from '../../domain/method-settings.ts';

/** Connections that present a connector's certificate. No two connectors share a connection. */
export type CertificateConnections = ReturnType<typeof createCertificateConnections>;

const MAX_CONNECTORS = 200;

interface Entry {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  readonly key: CertificateKey;
  readonly mcpUrl: string;
  readonly client: Opened;
}

type Opened = Pick<HttpClient, 'dispatcher' | 'close'>;

/** @param deps.open the guarded client's `withIdentity` */
export function createCertificateConnections(deps: {
  open: (key: CertificateKey) => Opened;
  clock: () => Date;
}) {
  const entries = new LRUCache<string, Entry>({
    max: MAX_CONNECTORS,
    // Also called on replacement: running calls may finish.
    dispose: ({ client }) => void client.close(),
  });

  return {
    /** @returns undefined if the certificate has expired */
    of(connector: Connector, key: CertificateKey): Dispatcher | undefined {
      if (key.expiresAt <= deps.clock().getTime() / 1000) return undefined;
      const { organizationId, id: connectorId, mcpUrl } = connector;
      const name = JSON.stringify([organizationId, connectorId]);
      const known = entries.get(name);
      if (known && known.mcpUrl === mcpUrl && isSame(known.key, key)) return known.client.dispatcher;
      const client = deps.open(key);
      entries.set(name, { organizationId, connectorId, key, mcpUrl, client });
      return client.dispatcher;
    },
    /** Drops the connections of an organization or a connector: running requests may finish, and no new ones start. */
    forget(organizationId: OrganizationId, connectorId?: ConnectorId): void {
      for (const [name, entry] of [...entries.entries()]) {
        const isMeant = connectorId === undefined || entry.connectorId === connectorId;
        if (entry.organizationId === organizationId && isMeant) entries.delete(name);
      }
    },
    async close(): Promise<void> {
      await Promise.all([...entries.values()].map(({ client }) => client.close()));
    },
  };
}

const isSame = (one: CertificateKey, other: CertificateKey): boolean =>
  one === other ||
  (one.certificate === other.certificate &&
    one.privateKey === other.privateKey &&
    one.trustedCas === other.trustedCas);
