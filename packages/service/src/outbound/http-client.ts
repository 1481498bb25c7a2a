import {
  createHttpClient as createGuardedClient,
  type HttpClient,
  type HttpClientOptions,
} from '@legate/guarded-fetch';
import { traced } from '../tracing/client-span.ts';

/**
 * Creates the only HTTP client of a service: guarded (see docs/adr/0005), and passing on the trace and the id of the
 * current request.
 * @throws {Error} if `allow` or `connectTo` is malformed
 */
export const createHttpClient = (options: Omit<HttpClientOptions, 'instrument'> = {}): HttpClient =>
  createGuardedClient({ allowSetting: 'OUTBOUND_ALLOW', ...options, instrument: traced });
