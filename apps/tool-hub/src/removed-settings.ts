import type { RemovedSettings } from '@legate/service';

/** Settings of earlier versions. Delete an entry two releases after its setting. */
export const REMOVED_SETTINGS: RemovedSettings = {
  AUDIT_ORGANIZATION_SHARE_PERCENT: 'remove it; the share is 10 percent',
  AUDIT_QUEUE_MAX_BYTES: 'remove it; each process keeps 32 MiB',
  BREAKER_OPEN_SECONDS: 'remove it; a breaker stays open for 10 seconds',
  CONNECTOR_MAX_CONCURRENT: 'remove it; the limit is 500 in each process, so add replicas if you need more',
  DISCOVERY_TIMEOUT_SECONDS: 'remove it; the limit is 5 seconds',
  EXPLANATION_TTL_SECONDS: 'remove it; explanations are kept for a day',
  ID_TOKEN_MAX_LIFETIME_SECONDS:
    'remove it; the limit is a day, so have the identity provider issue ID tokens that live no longer',
  INSTANCE_COUNT: 'remove it; while Redis is down, each process allows the whole limit',
  LIST_TIMEOUT_SECONDS: 'remove it; the limit is 5 seconds for each connector',
  MAX_CALLS: 'remove it; the limit is 2000 in each process, and MEMORY_BUDGET_MB limits its memory',
  MAX_CALLS_PER_AGENT: 'remove it; the limit is half of MAX_CALLS_PER_USER',
  MAX_SESSIONS_PER_USER: 'remove it; the limit is 20',
  MEMORY_ORGANIZATION_SHARE_PERCENT:
    'remove it; the share is 25 percent, so raise MEMORY_BUDGET_MB if you need more',
  MEMORY_USER_SHARE_PERCENT: 'remove it; the share is 10 percent, so raise MEMORY_BUDGET_MB if you need more',
  TOKEN_TIMEOUT_SECONDS: 'remove it; the limit is 5 seconds',
  TOOL_RESULT_MAX_BYTES: 'remove it; the limit is 4 MiB',
  TRANSACTION_TOKENS_PER_MINUTE: 'remove it; the limit is 6000 for each workload',
};
