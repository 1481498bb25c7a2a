import type { RemovedSettings } from '@legate/service';

const QUOTA = 'remove it: the number is fixed, see docs/operations/limits.md';

/** What earlier versions knew. A line can go two releases after its setting. */
export const REMOVED_SETTINGS: RemovedSettings = {
  CUSTOM_PLAN_DEFAULT_RPM:
    'remove it: a custom plan without a number has 3000; give the organization a number of its own',
  DATABASE_ORGANIZATION_SHARE_PERCENT:
    'remove it: one organization may use half of the connections; raise DATABASE_POOL_SIZE',
  INSTANCE_COUNT: 'remove it: while Redis is down, each process allows the whole limit',
  MAX_AGENTS_PER_ORGANIZATION: QUOTA,
  MAX_CONCURRENT_REQUESTS_PER_ORGANIZATION: 'remove it: it is 32 for each process; add replicas',
  MAX_CONNECTORS_PER_ORGANIZATION: QUOTA,
  MAX_DOMAINS_PER_ORGANIZATION: QUOTA,
  MAX_SITES_PER_ORGANIZATION: QUOTA,
  PROBLEM_TYPE_BASE: 'remove it: error codes are documented below RESOURCE/errors',
  TOOL_HUB_RESOURCE: 'remove it, and set TRANSACTION_TOKEN_ISSUER to the public URL of the hub',
  WORKLOAD_REQUESTS_PER_MINUTE: 'remove it: it is 12000 for each service',
};
