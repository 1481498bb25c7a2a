import type { TenantDatabase } from '@legate/postgres';
import type { Backend, RedisClient } from '@legate/secure-store';
import type { HttpClient, Logger, Metrics } from '@legate/service';
import type { TenantReader } from '../storage/reader.ts';

/** What every feature of the API uses. Whatever else one needs, it names in its own parameters. */
export interface Platform {
  /** Resource identifier of the API: the `aud` of access tokens for it */
  readonly resource: string;
  /** The identity provider, as issuer of tokens */
  readonly issuer: string;
  /** The database for requests: those of one organization use a share of the connections at a time. */
  readonly tenants: TenantDatabase;
  /** The database without these shares, for services and background work */
  readonly unsharedTenants: TenantDatabase;
  /** The database for data that may be slightly out of date */
  readonly reader: TenantReader;
  /** Guarded, for URLs of customers too */
  readonly http: Pick<HttpClient, 'fetch' | 'getJson'>;
  /** undefined: a single process */
  readonly redis: RedisClient | undefined;
  /** Entries in Redis, or in this process without it */
  readonly backend: Backend;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly metrics: Metrics;
}
