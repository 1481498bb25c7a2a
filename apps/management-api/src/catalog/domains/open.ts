import type { OrganizationId } from '@legate/ids';
import type { RateLimiter } from '@legate/rate-limit';
import type { MakeChange } from '../../changes/change.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckQuota } from '../resources/quota.ts';
import { createSaveCheckResult } from './check-result.ts';
import { createReleaseHolder } from './release-holder.ts';
import { domainOperations } from './routes.ts';
import { createDomains, type Domains } from './service.ts';
import { createDomainStore } from './store.ts';
import type { TxtLookup } from './txt-lookup.ts';
import { createDomainVerification } from './verification.ts';

export function openDomains(
  { tenants, clock }: Platform,
  parts: {
    makeChange: MakeChange;
    checkQuota: CheckQuota;
    /** Limits verifications. */
    limiter: RateLimiter;
    lookupTxt: TxtLookup;
    /** Returns true if the organization that holds a domain is deleted */
    isDeleted: (organizationId: OrganizationId) => Promise<boolean>;
  },
): { readonly domains: Domains; readonly operations: Operation[] } {
  const { makeChange, checkQuota, limiter, lookupTxt, isDeleted } = parts;
  const store = createDomainStore(tenants);
  const domains = createDomains({ store, checkQuota, clock });
  const saveResult = createSaveCheckResult({ store, clock, random: Math.random });
  const releaseHolder = createReleaseHolder({ store, isDeleted, saveResult, lookupTxt, makeChange });
  const verify = createDomainVerification({
    domains,
    saveResult,
    releaseHolder,
    lookupTxt,
    limiter,
    makeChange,
  });
  return { domains, operations: domainOperations({ domains, verify }) };
}
