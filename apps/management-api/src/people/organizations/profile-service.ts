import type { OrganizationId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import type { VersionCheck } from '../../domain/stored.ts';
import type { OrganizationBody, UpdateOrganization } from './organization.ts';
import type { ProfileStore } from './profile-store.ts';
import { toStored } from './stored-profile.ts';

export type Profiles = ReturnType<typeof createProfiles>;

const SETTABLE = ['name', 'default_role', 'role_source', 'agent_policy'] as const;

export function createProfiles({ store }: { store: ProfileStore }) {
  return {
    async find(organizationId: OrganizationId) {
      return toStored(await store.find(organizationId));
    },
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
      const { role_source = before.value.role_source, agent_policy = before.value.agent_policy } = fields;
      const wanted = { ...before.value, name, default_role, role_source, agent_policy };
      if (Object.keys(changesBetween(before.value, wanted, SETTABLE)).length === 0) return before;
      const after = toStored(await store.save(change, wanted));
      await change.record({
        action: 'organization.updated',
        targets: [{ type: 'organization', id: after.value.id, name: after.value.name }],
        changes: changesBetween(before.value, after.value, SETTABLE),
      });
      return after;
    },
  };
}
