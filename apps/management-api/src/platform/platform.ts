import type { TenantDatabase } from '@legate/postgres';
import type { Backend, RedisClient } from '@legate/secure-store';
import type { HttpClient, Logger, Metrics } from '@legate/service';
import type { TenantReader } from '../storage/reader.ts';

/** The parts that every feature of the API uses. A feature declares all others as its own parameters. */
export interface Platform {
  /** Resource identifier of the API: the `aud` of access tokens for it */
  readonly resource: string;
  /** The identity provider that issues the tokens */
  readonly issuer: string;
  /** The database for requests, in which each organization may use only a share of the connections at a time. */
  readonly tenants: TenantDatabase;
  /** The database without these shares, for services and background work */
  readonly unsharedTenants: TenantDatabase;
  /** The database for data that may be slightly out of date */
  readonly reader: TenantReader;
  /** HTTP client that refuses non-public addresses, also for URLs that customers enter */
  readonly http: Pick<HttpClient, 'fetch' | 'getJson'>;
  /** undefined: only one process runs */
  readonly redis: RedisClient | undefined;
  /** Entries in Redis, or in this process if there is no Redis */
  readonly backend: Backend;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly metrics: Metrics;
}
