import { refuseBlockedClients } from '@legate/rate-limit/express';
import { Counter } from '@legate/service';
import type { CachedVerifyWorkload } from '@legate/workload';
import { authenticateWorkload } from '@legate/workload/express';
import type { RequestHandler } from 'express';
import type { SecretCipher } from '../catalog/connectors/secret-cipher.ts';
import { createReadSecret } from '../catalog/connectors/secrets.ts';
import { failuresAt, type Limits, limiterOf } from '../platform/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { createReadAgentClient } from './agent-client.ts';
import { createTakeEvents } from './event-intake.ts';
import { createReadHubDocument } from './hub-document.ts';
import { createNoteListedTools } from './listed-tools.ts';
import { internalRoutes } from './routes.ts';

/** Creates `/internal/v1`, for services that call as themselves. */
export function openInternal(
  { unsharedTenants: tenants, clock, log, metrics }: Platform,
  parts: {
    verifyWorkload: CachedVerifyWorkload;
    cipher: SecretCipher;
    limits: Limits;
    /** Limit per workload and kind of request. Default: as in `routes.ts` */
    requestsPerMinute?: number | undefined;
  },
): { readonly routes: readonly RequestHandler[] } {
  const { verifyWorkload: verify, cipher, limits, requestsPerMinute } = parts;
  // Counted separately from failures of users, who could otherwise block the hub from its own address.
  const failures = failuresAt('workload-ip', limits, clock);
  const unreadable = new Counter({
    name: 'connector_secrets_unreadable_total',
    help: 'Secrets of connectors that could not be decrypted for the hub',
    registers: [metrics.registry],
  });
  const readHubDocument = createReadHubDocument({
    tenants,
    readSecret: createReadSecret({ tenants, cipher }),
    log,
    onUnreadable: () => unreadable.inc(),
  });
  return {
    routes: [
      refuseBlockedClients(failures, (req) => verify.isKnown(req.headers.authorization)),
      authenticateWorkload({ verify, onRefusal: (req) => failures.recordFailure(req.ip) }),
      internalRoutes({
        readHubDocument,
        takeEvents: createTakeEvents({ tenants, clock }),
        readAgentClient: createReadAgentClient(tenants),
        noteListedTools: createNoteListedTools(tenants),
        limiter: limiterOf(limits, 'workloads'),
        requestsPerMinute,
      }),
    ],
  };
}
