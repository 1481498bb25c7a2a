import { isId, type OrganizationId } from '@legate/ids';
import type { HappensTo } from '@legate/management-contract';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import { changesBetween, type FieldChanges } from '../../domain/audit-event.ts';
import { DomainId } from '../../domain/ids.ts';
import { existing, type VersionCheck } from '../../domain/stored.ts';
import type { CheckQuota } from '../resources/quota.ts';
import { newVerificationToken } from './challenge.ts';
import type { AddDomain, Domain } from './domain.ts';
import type { DomainStore } from './store.ts';

export type Domains = ReturnType<typeof createDomains>;

/**
 * Manages domains. All methods throw 404 for a domain of another organization, so that its existence is not
 * revealed.
 */
export function createDomains(deps: { store: DomainStore; checkQuota: CheckQuota; clock: () => Date }) {
  const { store, checkQuota, clock } = deps;

  return {
    list: store.list,
    async find(organizationId: OrganizationId, id: DomainId) {
      return existing('domain', isId(id) && (await store.find(organizationId, id)));
    },
    listVerified: store.listVerified,
    releaseAll: store.releaseAll,
    /** @throws {Problem} 409 `domain_already_added`, `quota_exceeded` */
    async add(change: Change, { domain }: AddDomain) {
      await checkQuota(change);
      const id = DomainId.parse(`dom_${ulid(clock().getTime())}`);
      const added = await store.create(change, id, domain, newVerificationToken());
      await recordDomain(change, 'added', added.value, changesBetween({}, added.value, ['domain', 'state']));
      return added;
    },
    /** Removes a domain permanently: to get it back, the organization must add and verify it again. */
    async remove(change: Change, id: DomainId, check: VersionCheck) {
      const { value, version } = existing('domain', isId(id) && (await store.lock(change, id)));
      check(version);
      await store.remove(change, id);
      await recordDomain(change, 'removed', value);
    },
  };
}

export const recordDomain = (
  change: Change,
  what: HappensTo<'domain'>,
  { id, domain }: Domain,
  changes?: FieldChanges,
) => change.record({ action: `domain.${what}`, targets: [{ type: 'domain', id, name: domain }], changes });
