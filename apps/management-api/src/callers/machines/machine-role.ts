import { problem } from '../../domain/problem-codes.ts';
import type { Account, ApiKey, KeyStanding } from '../standing/machine-store.ts';
import type { ResolveRole } from '../standing/member-role.ts';
import type { Standing } from '../standing/standing-store.ts';
import { isAllowedAddress } from './allowed-address.ts';
import { accountUnknown } from './machine-caller.ts';
import type { NoteKeyUsed } from './note-key-used.ts';

/**
 * Returns the current role of a machine's account. People are handled by `people`.
 * @throws {Problem} 403 `service_account_unknown`, `service_account_disabled`, `address_not_allowed`
 */
export function createResolveMachineRole(deps: {
  people: ResolveRole;
  noteKeyUsed: NoteKeyUsed;
}): ResolveRole {
  const { people, noteKeyUsed } = deps;
  return async (standing, caller, author) => {
    const { account, key } = standing;
    if (!account) {
      // A machine that is kept out gets that refusal from `people`. Other unregistered machines never become members.
      if (caller.looksLike === 'machine' && !isKeptOutByDecision(standing))
        throw accountUnknown(caller.subject);
      return people(standing, caller, author);
    }
    refuseDisabled(account);
    if (key) {
      refuseOtherAddress(key, author().ip ?? undefined);
      const { organization } = standing;
      await noteKeyUsed({ organization, account, key } satisfies KeyStanding, author);
    }
    return account.role;
  };
}

const isKeptOutByDecision = ({ membership }: Standing): boolean =>
  membership.state === 'kept_out' && membership.status !== 'removed';

function refuseDisabled({ status }: Account): void {
  if (status === 'active') return;
  throw problem('service_account_disabled', { detail: 'An administrator has disabled the service account.' });
}

function refuseOtherAddress({ allowedIps }: ApiKey, address: string | undefined): void {
  if (isAllowedAddress(address, allowedIps)) return;
  throw problem('address_not_allowed', { detail: 'This API key may not be used from your address.' });
}
