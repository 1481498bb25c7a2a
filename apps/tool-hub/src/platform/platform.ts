import type { CertificateConnections, Pause } from '@legate/delegation';
import type { Backend, EncryptionKeys, RedisClient, SecureStore } from '@legate/secure-store';
import type { HttpClient, Logger, MemoryBudget, Metrics } from '@legate/service';

/** What every feature of the hub uses. Whatever else one needs, it names in its own parameters. */
export interface Platform {
  /** URL at which callers reach the hub: its name as a resource, and as an issuer */
  readonly publicUrl: string;
  readonly http: Pick<HttpClient, 'fetch' | 'getJson' | 'dispatcher'>;
  /** HTTP connections for connectors with a client certificate */
  readonly connections: CertificateConnections;
  /** Memory for requests; responses of peers count as well */
  readonly memory: MemoryBudget;
  /** undefined: a single process */
  readonly redis: RedisClient | undefined;
  /** Entries in Redis, or in this process without it */
  readonly backend: Backend;
  /** Encrypted entries in `backend` */
  readonly store: SecureStore;
  readonly encryptionKeys: EncryptionKeys;
  readonly clock: () => Date;
  /** Waits before a request to a peer is repeated. */
  readonly pause: Pause;
  readonly log: Logger;
  readonly metrics: Metrics;
}
