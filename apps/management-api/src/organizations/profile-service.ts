import type { OrganizationId } from '@legate/ids';
import { requestsPerMinute } from '@legate/rate-limit';
import type { Change } from '../changes/change.ts';
import { changesBetween, type FieldChanges } from '../domain/audit-event.ts';
import { problem } from '../domain/problem-codes.ts';
import type { Stored, VersionCheck } from '../domain/stored.ts';
import type { OrganizationBody, UpdateOrganization } from './organization.ts';
import type { Profile, ProfileStore } from './profile-store.ts';

export type Profiles = ReturnType<typeof createProfiles>;

const SETTABLE = ['name', 'default_role', 'role_source'] as const;
const KEPT_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

export function createProfiles(deps: { store: ProfileStore; clock: () => Date }) {
  const { store, clock } = deps;

  function toStored(profile: Profile): Stored<OrganizationBody> {
    const { id, name, plan, rateLimitPerMinute, status, createdAt, updatedAt, version } = profile;
    const perMinute = requestsPerMinute({ name: plan, requestsPerMinute: rateLimitPerMinute });
    const value: OrganizationBody = {
      id,
      name,
      plan,
      requests_per_minute: perMinute,
      status: status === 'active' ? 'active' : 'suspended',
      default_role: profile.defaultRole,
      role_source: profile.roleSource,
      created_at: createdAt,
      updated_at: updatedAt,
    };
    return { value, version };
  }

  const record = (change: Change, what: string, { id, name }: OrganizationBody, changes: FieldChanges) =>
    change.record({
      action: `organization.${what}`,
      targets: [{ type: 'organization', id, name }],
      changes,
    });

  return {
    async find(organizationId: OrganizationId) {
      return toStored(await store.find(organizationId));
    },
    isDeleted: store.isDeleted,
    /** @throws {Problem} 412 */
    async update(
      change: Change,
      check: VersionCheck,
      patch: (current: OrganizationBody) => UpdateOrganization,
    ) {
      const before = toStored(await store.lock(change));
      check(before.version);
      const fields = patch(before.value);
      const { name = before.value.name, default_role = before.value.default_role } = fields;
      const { role_source = before.value.role_source } = fields;
      const wanted = { ...before.value, name, default_role, role_source };
      if (Object.keys(changesBetween(before.value, wanted, SETTABLE)).length === 0) return before;
      const after = toStored(await store.save(change, wanted));
      await record(change, 'updated', after.value, changesBetween(before.value, after.value, SETTABLE));
      return after;
    },
    /**
     * Suspends the organization; after 30 days it may be purged.
     * @throws {Problem} 409 `confirmation_mismatch` where `confirm` is not its name; 412
     */
    async remove(change: Change, check: VersionCheck, confirm: string) {
      const before = toStored(await store.lock(change));
      check(before.version);
      if (confirm !== before.value.name) {
        throw problem('confirmation_mismatch', {
          detail: 'Send the name of the organization as confirm.',
        });
      }
      const purgeAt = new Date(clock().getTime() + KEPT_DAYS * DAY_MS);
      const after = toStored(await store.suspend(change, purgeAt));
      await record(change, 'deleted', after.value, changesBetween(before.value, after.value, ['status']));
      return after;
    },
  };
}
