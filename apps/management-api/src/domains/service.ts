import { isId, type OrganizationId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import { notFound } from '@legate/service';
import { ulid } from 'ulid';
import type { Change } from '../changes/change.ts';
import { changesBetween, type FieldChanges } from '../domain/audit-event.ts';
import { DomainId } from '../domain/ids.ts';
import type { Stored, VersionCheck } from '../domain/stored.ts';
import type { CheckQuota } from '../resources/quota.ts';
import { newVerificationToken } from './challenge.ts';
import type { AddDomain, Domain, ListDomains } from './domain.ts';
import type { DomainStore } from './store.ts';

/** All methods throw 404 for a domain of another organization, so that its existence is not revealed. */
export interface Domains {
  list(organizationId: OrganizationId, query: ListDomains): Promise<Page<Domain>>;
  find(organizationId: OrganizationId, id: DomainId): Promise<Stored<Domain>>;
  /** The names of the verified ones, by the alphabet */
  listVerified(organizationId: OrganizationId): Promise<readonly string[]>;
  /** @throws {Problem} 409 `domain_already_added`, `quota_exceeded` */
  add(change: Change, domain: AddDomain): Promise<Stored<Domain>>;
  /** Permanent: to return, the domain must be added and verified again. */
  remove(change: Change, id: DomainId, check: VersionCheck): Promise<void>;
}

export function createDomains(deps: {
  store: DomainStore;
  checkQuota: CheckQuota;
  clock: () => Date;
}): Domains {
  const { store, checkQuota, clock } = deps;

  return {
    list: store.list,
    async find(organizationId, id) {
      return existing(isId(id) && (await store.find(organizationId, id)));
    },
    listVerified: store.listVerified,
    async add(change, { domain }) {
      await checkQuota(change);
      const added = await store.create(change.connection, change.organizationId, {
        id: DomainId.parse(`dom_${ulid(clock().getTime())}`),
        domain,
        token: newVerificationToken(),
      });
      await recordDomain(change, 'added', added.value, changesBetween({}, added.value, ['domain', 'state']));
      return added;
    },
    async remove(change, id, check) {
      const { connection, organizationId } = change;
      const { value, version } = existing(isId(id) && (await store.lock(connection, organizationId, id)));
      check(version);
      await store.remove(connection, organizationId, id);
      await recordDomain(change, 'removed', value);
    },
  };
}

/** @throws {Problem} 404 */
export function existing<Thing>(found: Thing | undefined | false): Thing {
  if (!found) throw notFound('There is no such domain.');
  return found;
}

export const recordDomain = (
  change: Change,
  what: string,
  { id, domain }: Domain,
  changes?: FieldChanges,
): Promise<unknown> =>
  change.record({
    action: `domain.${what}`,
    targets: [{ type: 'domain', id, name: domain }],
    ...(changes && { changes }),
  });
