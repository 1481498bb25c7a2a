import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  type Health,
  type Logger,
  type Metrics,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import {
  createToolServer,
  type OneTimeStore,
  type SigningKeys,
  type ToolServerOptions,
} from '@legate/tool-server';
import { legate } from '@legate/tool-server/express';
import type { Express } from 'express';
import { frontPages } from './front-pages.ts';
import { createMcpRoutes } from './mcp/routes.ts';
import type { NoteStore } from './notes/store.ts';
import type { Sites } from './sites/sites.ts';
import { SCOPES } from './tools/scopes.ts';

export interface AppDependencies
  extends Pick<ToolServerOptions, 'resource' | 'trustedIssuers' | 'onKeysRead' | 'clients' | 'failures'> {
  readonly fetch: typeof globalThis.fetch;
  readonly signingKeys: SigningKeys;
  readonly oneTimeStore: OneTimeStore;
  readonly clock: () => Date;
  readonly trustedProxies?: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly notes: NoteStore;
  /** Sites of the management API. Undefined: there are no tools for sites. */
  readonly sites?: Sites | undefined;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Undefined: no spans are created. */
  readonly tracer?: Tracer | undefined;
  readonly version: string;
}

/** @returns the application, and `close`, which ends its open streams */
export async function createApp(
  deps: AppDependencies,
): Promise<{ app: Express; close: () => Promise<void> }> {
  const { log, allowedOrigins } = deps;
  const toolServer = await createToolServer({
    name: 'Legate reference tool server',
    resource: deps.resource,
    scopes: SCOPES,
    trustedIssuers: deps.trustedIssuers,
    fetch: deps.fetch,
    onKeysRead: deps.onKeysRead,
    clients: deps.clients,
    signingKeys: deps.signingKeys,
    oneTimeStore: deps.oneTimeStore,
    failures: deps.failures,
    allowedOrigins,
    clock: deps.clock,
    log,
  });
  const { resource } = toolServer.endpoints;
  const mcp = createMcpRoutes({
    toolServer,
    allowedOrigins,
    notes: deps.notes,
    sites: deps.sites,
    version: deps.version,
    log,
  });

  const app = createExpressApp(deps.trustedProxies ? { trustedProxies: deps.trustedProxies } : {});
  app.use(requestContext(deps.tracer), accessLog(log), deps.metrics.observeRequests, apiSecurityHeaders());
  app.use(deps.health.router);
  app.use(legate(toolServer));
  app.use(mcp.router);
  app.use(frontPages(resource), unmatchedRoute);
  app.use(problemHandler({ log, typeBase: `${resource}/errors` }));
  return { app, close: mcp.close };
}
