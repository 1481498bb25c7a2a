import { requestsPerMinute } from '@legate/rate-limit';
import type { Stored } from '../../domain/stored.ts';
import type { OrganizationBody } from './organization.ts';
import type { Profile } from './profile-store.ts';

/** Returns an organization as the API shows it. */
export function toStored(profile: Profile): Stored<OrganizationBody> {
  const { id, name, plan, rateLimitPerMinute, createdAt, updatedAt, version } = profile;
  const value: OrganizationBody = {
    id,
    name,
    plan,
    requests_per_minute: requestsPerMinute({ name: plan, requestsPerMinute: rateLimitPerMinute }),
    status: profile.status,
    default_role: profile.defaultRole,
    role_source: profile.roleSource,
    agent_policy: profile.agentPolicy,
    suspended_at: profile.suspendedAt,
    suspended_by: profile.suspendedBy,
    deleted_at: profile.deletedAt,
    purge_at: profile.purgeAt,
    created_at: createdAt,
    updated_at: updatedAt,
  };
  return { value, version };
}
