import type { RateLimiter } from '@legate/rate-limit';
import type { HttpClient, Logger } from '@legate/service';
import type { Router } from 'express';
import type { ConnectorAccess } from '../connectors/access.ts';
import type { IdentityProvider } from '../delegation/identity-provider.ts';
import type { ListOf } from '../upstream/list-pages.ts';
import type { McpClient } from '../upstream/mcp-client.ts';
import { createConnectorDoctor } from './connector-doctor.ts';
import { doctorRoutes } from './routes.ts';

/** @param deps.mcp without breaker: to look at what is broken is what the doctor is for */
export function createDoctor(deps: {
  access: ConnectorAccess;
  identityProvider: () => Promise<IdentityProvider>;
  http: Pick<HttpClient, 'fetch'>;
  mcp: McpClient;
  listOf: ListOf;
  listTimeoutMs: number;
  limiter: RateLimiter;
  clock: () => Date;
  log: Logger;
}): Router {
  const { http, listTimeoutMs: timeoutMs } = deps;
  return doctorRoutes({ ...deps, examine: createConnectorDoctor({ ...deps, fetch: http.fetch, timeoutMs }) });
}
