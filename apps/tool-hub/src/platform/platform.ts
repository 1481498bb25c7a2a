import type { CertificateConnections, Pause } from '@legate/delegation';
import type { Backend, EncryptionKeys, OpenBackend, RedisClient, SecureStore } from '@legate/secure-store';
import type { HttpClient, Logger, MemoryBudget, Metrics } from '@legate/service';

/** What all features of the hub use. Anything else that a feature needs is in its own parameters. */
export interface Platform {
  /** URL of the hub for callers, which is also its resource identifier and its issuer */
  readonly publicUrl: string;
  readonly http: Pick<HttpClient, 'fetch' | 'getJson' | 'dispatcher' | 'withIdentity'>;
  /** HTTP connections for connectors with a client certificate */
  readonly connections: CertificateConnections;
  /** Memory for requests, including the responses of other servers */
  readonly memory: MemoryBudget;
  /** Undefined: a single process */
  readonly redis: RedisClient | undefined;
  /** Makes the hub unready while Redis refuses a subscription. */
  readonly noteSubscription: OpenBackend['noteSubscription'];
  /** Storage for entries, in Redis or in the memory of this process */
  readonly backend: Backend;
  /** Storage for encrypted entries in `backend` */
  readonly store: SecureStore;
  readonly encryptionKeys: EncryptionKeys;
  readonly clock: () => Date;
  /** Waits before a request to another server is repeated. */
  readonly pause: Pause;
  readonly log: Logger;
  readonly metrics: Metrics;
}
