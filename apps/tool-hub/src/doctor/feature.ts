import type { RateLimiter } from '@legate/rate-limit';
import type { HttpClient, Logger } from '@legate/service';
import type { Router } from 'express';
import type { NoteDeed } from '../audit/user-event.ts';
import type { ConnectorAccess } from '../connectors/access.ts';
import type { IdJagOrganization } from '../delegation/id-jag-checks.ts';
import type { IdentityProvider } from '../delegation/identity-provider.ts';
import { createConsentClients } from '../oauth-connect/consent-client.ts';
import type { ListOf } from '../upstream/list-pages.ts';
import type { McpClient } from '../upstream/mcp-client.ts';
import { createConnectorDoctor } from './connector-doctor.ts';
import { doctorRoutes } from './routes.ts';

/** @param deps.mcp without breaker: to look at what is broken is what the doctor is for */
export function createDoctor(deps: {
  publicUrl: string;
  access: ConnectorAccess;
  identityProvider: () => Promise<IdentityProvider>;
  idJagOrganization: IdJagOrganization;
  http: Pick<HttpClient, 'fetch'>;
  mcp: McpClient;
  listOf: ListOf;
  listTimeoutMs: number;
  limiter: RateLimiter;
  noteDeed: NoteDeed;
  clock: () => Date;
  log: Logger;
}): Router {
  const { http, listTimeoutMs: timeoutMs } = deps;
  const clientOf = createConsentClients(deps.publicUrl);
  const examine = createConnectorDoctor({ ...deps, clientOf, fetch: http.fetch, timeoutMs });
  return doctorRoutes({ ...deps, examine });
}
