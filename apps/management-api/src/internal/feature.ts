import type { TenantDatabase } from '@legate/postgres';
import type { FailureLimiter, RateLimiter } from '@legate/rate-limit';
import { refuseBlockedClients } from '@legate/rate-limit/express';
import { Counter, type Logger, type Registry } from '@legate/service';
import type { CachedVerifyWorkload } from '@legate/workload';
import { authenticateWorkload } from '@legate/workload/express';
import type { RequestHandler } from 'express';
import type { SecretCipher } from '../connectors/secret-cipher.ts';
import { createReadSecret } from '../connectors/secrets.ts';
import { createReadAgentClient } from './agent-client.ts';
import { createTakeEvents } from './event-intake.ts';
import { createReadHubDocument } from './hub-document.ts';
import { createNoteListedTools } from './listed-tools.ts';
import { internalRoutes } from './routes.ts';

/** Services that call as themselves */
export interface WorkloadAccess {
  readonly verify: CachedVerifyWorkload;
  /** Limit per workload, of each kind of request. Default: as in `routes.ts` */
  readonly requestsPerMinute?: number | undefined;
}

/** Creates what is served below `/internal/v1`. */
export function createInternalFeature(deps: {
  workloads: WorkloadAccess;
  tenants: TenantDatabase;
  cipher: SecretCipher;
  limiter: RateLimiter;
  /** Separate from that of users, who could otherwise block the hub from its own address. */
  failures: FailureLimiter;
  clock: () => Date;
  log: Logger;
  registry: Registry;
}): RequestHandler[] {
  const { tenants, cipher, limiter, failures, workloads, clock, log } = deps;
  const unreadable = new Counter({
    name: 'connector_secrets_unreadable_total',
    help: 'Secrets of connectors that could not be read for the hub',
    registers: [deps.registry],
  });
  const readSecret = createReadSecret({ tenants, cipher });
  return [
    refuseBlockedClients(failures, (req) => workloads.verify.isKnown(req.headers.authorization)),
    authenticateWorkload({ verify: workloads.verify, onRefusal: (req) => failures.recordFailure(req.ip) }),
    internalRoutes({
      readHubDocument: createReadHubDocument({
        tenants,
        readSecret,
        log,
        onUnreadable: () => unreadable.inc(),
      }),
      takeEvents: createTakeEvents({ tenants, clock }),
      readAgentClient: createReadAgentClient(tenants),
      noteListedTools: createNoteListedTools(tenants),
      limiter,
      requestsPerMinute: workloads.requestsPerMinute,
    }),
  ];
}
