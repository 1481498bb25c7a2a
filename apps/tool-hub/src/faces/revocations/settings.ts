import { claimOf } from '@legate/identity-providers';
import { REVOCATIONS } from '@legate/management-contract';
import { SHARED_SETTINGS } from '@legate/service';
import { createWorkloadVerifier, type VerifyWorkload, workloadsSetting } from '@legate/workload';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityProviderPart } from '../../sign-in/identity-provider.ts';

/** Settings of the services that may revoke */
export const revocationsEnvironment = {
  WORKLOADS: workloadsSetting([REVOCATIONS.scope])
    .default(() => new Map())
    .meta({ ...SHARED_SETTINGS.WORKLOADS, example: 'management-api=internal:revocations' }),
};

/** @returns undefined if no service may revoke */
export const openVerifyWorkload = (
  { publicUrl: audience, clock }: Platform,
  { WORKLOADS: workloads }: { readonly WORKLOADS: Parameters<typeof createWorkloadVerifier>[0]['workloads'] },
  { issuer, organizationRule }: Pick<IdentityProviderPart, 'issuer' | 'organizationRule'>,
): VerifyWorkload | undefined =>
  workloads.size === 0
    ? undefined
    : createWorkloadVerifier({
        ...{ issuer, audience, workloads, clock },
        organizationClaim: claimOf(organizationRule),
      });
