import type { Problem } from '@legate/service';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Organization } from './organization-store.ts';
import type { Standing } from './standing-store.ts';

/** The weakest role that may call an operation while the organization is suspended or deleted */
export type WhileSuspended = 'owner' | 'admin';

/**
 * Returns the role of a member, who may still use some operations while their organization is suspended or deleted.
 * Nobody becomes a member meanwhile, and services cannot act for users.
 */
export function roleWhileSuspended({ membership }: Standing, caller: Caller): WhileSuspended | undefined {
  if (membership.state !== 'active' || caller.isTransaction) return undefined;
  const { role } = membership;
  return role === 'owner' || role === 'admin' ? role : undefined;
}

/** Returns the same refusal for everyone, so that it does not reveal whether the caller is a member. */
export function notActive({ status, purgeAt }: Pick<Organization, 'status' | 'purgeAt'>): Problem {
  const extensions = { organization_status: status, purge_at: purgeAt?.toISOString() ?? null };
  return status === 'suspended'
    ? problem('organization_suspended', { extensions })
    : problem('organization_deleted', {
        detail: purgeAt ? 'An owner can restore it until purge_at.' : 'It was purged and cannot be restored.',
        extensions,
      });
}
