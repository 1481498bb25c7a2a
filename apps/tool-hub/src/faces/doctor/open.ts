import type { RateLimiter } from '@legate/rate-limit';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { Calls } from '../../calls/open.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import type { UserRights } from '../../domain/user-rights.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityProviderPart } from '../../sign-in/identity-provider.ts';
import type { HubOperation } from '../api/operation.ts';
import { addressDoctorOperations, createAddressDoctor } from './address-doctor.ts';
import { createConnectorDoctor } from './connector-doctor.ts';
import { doctorOperations } from './routes.ts';

/** Opens the examination of connectors, and of addresses that have no connector yet: `operations` below `/api/v1`. */
export function openDoctor(
  { http, clock, log }: Platform,
  parts: {
    identityProvider: Pick<
      IdentityProviderPart,
      'issuesIdJags' | 'identityProvider' | 'idJagOrganization' | 'organizationRule'
    >;
    calls: Pick<Calls, 'mcp' | 'listOf' | 'accounts' | 'methods'>;
    access: ConnectorAccess;
    rights: UserRights;
    limiter: RateLimiter;
    recordUserAction: RecordUserAction;
    /** Time-out of the list of tools */
    timeoutMs: number;
  },
): { readonly operations: readonly HubOperation[] } {
  const { access, rights, limiter, recordUserAction } = parts;
  const { mcp, listOf, accounts, methods } = parts.calls;
  const examine = createConnectorDoctor({
    identityProvider: parts.identityProvider.identityProvider,
    idJagOrganization: parts.identityProvider.idJagOrganization,
    organizationRule: parts.identityProvider.organizationRule,
    issuesIdJags: parts.identityProvider.issuesIdJags,
    exchange: methods['token-exchange'],
    fetch: http.fetch,
    mcp,
    listOf,
    clientOf: accounts.clientOf,
    clock,
    timeoutMs: parts.timeoutMs,
  });
  const examineAddress = createAddressDoctor({ fetch: http.fetch, clock });
  return {
    operations: [
      ...doctorOperations({ access, examine, rights, limiter, recordUserAction, clock, log }),
      ...addressDoctorOperations({ examineAddress, rights, limiter, recordUserAction, clock, log }),
    ],
  };
}
