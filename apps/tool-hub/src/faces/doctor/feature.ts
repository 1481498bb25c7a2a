import { createConsentClients, type IdentityProvider, type IdJagOrganization } from '@legate/delegation';
import type { McpClient } from '@legate/mcp-client';
import type { RateLimiter } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import type { Router } from 'express';
import type { NoteDeed } from '../../audit/user-event.ts';
import type { ListOf } from '../../calls/list-pages.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import { clientDocumentUrl } from '../../domain/client-urls.ts';
import { createConnectorDoctor } from './connector-doctor.ts';
import { doctorRoutes } from './routes.ts';

/** @param deps.mcp without breaker, because the doctor examines broken peers */
export function createDoctor(deps: {
  publicUrl: string;
  access: ConnectorAccess;
  identityProvider: () => Promise<IdentityProvider>;
  idJagOrganization: IdJagOrganization;
  /** The guarded client's */
  fetch: typeof globalThis.fetch;
  mcp: McpClient;
  listOf: ListOf;
  listTimeoutMs: number;
  limiter: RateLimiter;
  noteDeed: NoteDeed;
  clock: () => Date;
  log: Logger;
}): Router {
  const { access, fetch, limiter, noteDeed, clock, log } = deps;
  const examine = createConnectorDoctor({
    identityProvider: deps.identityProvider,
    idJagOrganization: deps.idJagOrganization,
    fetch,
    mcp: deps.mcp,
    listOf: deps.listOf,
    clientOf: createConsentClients((id) => clientDocumentUrl(deps.publicUrl, id)),
    clock,
    timeoutMs: deps.listTimeoutMs,
  });
  return doctorRoutes({ access, examine, limiter, noteDeed, clock, log });
}
