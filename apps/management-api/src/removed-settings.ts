import type { RemovedSettings } from '@legate/service';

const QUOTA = 'remove it; the quota is fixed, see docs/operations/limits.md';

/** Settings of earlier versions. Delete an entry two releases after its setting. */
export const REMOVED_SETTINGS: RemovedSettings = {
  CUSTOM_PLAN_DEFAULT_RPM:
    'remove it; a custom plan without a number has 3000, so give the organization its own number',
  DATABASE_ORGANIZATION_SHARE_PERCENT:
    'remove it; one organization may use half of the connections, so raise DATABASE_POOL_SIZE if it needs more',
  INSTANCE_COUNT: 'remove it; while Redis is down, each process allows the whole limit',
  MAX_AGENTS_PER_ORGANIZATION: QUOTA,
  MAX_CONCURRENT_REQUESTS_PER_ORGANIZATION:
    'remove it, or set MAX_CONCURRENT_PER_ORGANIZATION; further requests wait for their turn',
  MAX_CONNECTORS_PER_ORGANIZATION: QUOTA,
  MAX_DOMAINS_PER_ORGANIZATION: QUOTA,
  MAX_SITES_PER_ORGANIZATION: QUOTA,
  PROBLEM_TYPE_BASE: 'remove it; error codes are documented below RESOURCE/errors',
  TOOL_HUB_RESOURCE: 'remove it, and set TRANSACTION_TOKEN_ISSUER to the public URL of the hub',
  WORKLOAD_REQUESTS_PER_MINUTE: 'remove it; the limit is 12000 for each service',
};
