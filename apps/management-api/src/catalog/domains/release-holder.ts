import type { OrganizationId } from '@legate/ids';
import type { MakeChange } from '../../changes/change.ts';
import { systemAuthor } from '../../domain/author.ts';
import type { SaveCheckResult } from './check-result.ts';
import { hasRecord } from './has-record.ts';
import type { DomainStore } from './store.ts';
import type { TxtLookup } from './txt-lookup.ts';

/**
 * Checks the organization that holds a domain when another one proves it, because the current DNS counts more
 * than an earlier result. The holder loses the domain if its record is gone, or if the organization is
 * deleted: after a restore it must verify the domain again.
 * @returns true if no organization holds the domain any more
 * @throws {DnsUnavailable}
 */
export type ReleaseHolder = (domain: string) => Promise<boolean>;

export function createReleaseHolder(deps: {
  store: Pick<DomainStore, 'find' | 'findHolder'>;
  isDeleted: (organizationId: OrganizationId) => Promise<boolean>;
  saveResult: SaveCheckResult;
  lookupTxt: TxtLookup;
  makeChange: MakeChange;
}): ReleaseHolder {
  const { store, isDeleted, saveResult, lookupTxt, makeChange } = deps;
  return async (name) => {
    const holder = await store.findHolder(name);
    const held = holder && (await store.find(holder.organizationId, holder.id));
    if (!held) return true; // removed in the meantime
    const { organizationId, id } = holder;
    if (!(await isDeleted(organizationId)) && (await hasRecord(held.value, lookupTxt))) return false;
    await makeChange(systemAuthor(organizationId), (change) => saveResult(change, id, false, 1));
    return true;
  };
}
