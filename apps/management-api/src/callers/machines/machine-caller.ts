import { UserId } from '@legate/ids';
import type { Problem } from '@legate/service';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Account } from '../standing/machine-store.ts';
import type { Standing } from '../standing/standing-store.ts';

/** Returns the id of a machine in requests, the audit trail and replays, where a person has their `sub`. */
export const accountSubject = ({ id }: Pick<Account, 'id'>): UserId => UserId.parse(id);

/**
 * Returns the caller for the holder of a token: the service account that is registered for its `sub`, or a person. A
 * member is never treated as a machine, and a user who is kept out by a decision stays out.
 * @returns undefined if the token did not name the organization and the client has not confirmed it
 */
export function actingAs(
  caller: Caller,
  standing: Standing,
): { readonly caller: Caller; readonly standing: Standing } | undefined {
  const { account, organization } = standing;
  const isNamed = caller.organizationId !== undefined;
  if (!account || isPersonHere(caller, standing)) {
    return isNamed ? { caller, standing: { ...standing, account: undefined } } : undefined;
  }
  if (!isNamed && !account.isConfirmed) return undefined;
  return {
    standing: { ...standing, membership: { state: 'unknown' } },
    caller: {
      ...caller,
      organizationId: organization.id,
      subject: accountSubject(account),
      email: undefined,
      name: account.name,
      serviceAccount: { id: account.id, name: account.name, client: caller.subject },
    },
  };
}

function isPersonHere({ looksLike }: Caller, { membership }: Standing): boolean {
  if (membership.state === 'active') return looksLike !== 'machine';
  return membership.state === 'kept_out' && membership.status !== 'removed';
}

/** @param subject the `sub` that an administrator has to register */
export const accountUnknown = (subject: UserId): Problem =>
  problem('service_account_unknown', {
    detail: 'This organization has no service account for this client.',
    extensions: { subject },
  });
