import type { RemovedSettings } from '@legate/service';

/** What earlier versions knew. A line can go two releases after its setting. */
export const REMOVED_SETTINGS: RemovedSettings = {
  AUDIT_ORGANIZATION_SHARE_PERCENT: 'remove it: it is 10',
  AUDIT_QUEUE_MAX_BYTES: 'remove it: it is 32 MiB for each process',
  BREAKER_OPEN_SECONDS: 'remove it: it is 10',
  CONNECTOR_MAX_CONCURRENT: 'remove it: it is 500 for each process; add replicas',
  DISCOVERY_TIMEOUT_SECONDS: 'remove it: it is 5',
  EXPLANATION_TTL_SECONDS: 'remove it: explanations are kept for a day',
  ID_TOKEN_MAX_LIFETIME_SECONDS:
    'remove it: it is 86400; have the identity provider issue ID tokens that live for a day at most',
  INSTANCE_COUNT: 'remove it: while Redis is down, each process allows the whole limit',
  LIST_TIMEOUT_SECONDS: 'remove it: it is 5',
  MAX_CALLS: 'remove it: it is 2000 for each process; bound its memory by MEMORY_BUDGET_MB',
  MAX_CALLS_PER_AGENT: 'remove it: it is half of MAX_CALLS_PER_USER',
  MAX_SESSIONS_PER_USER: 'remove it: it is 20',
  MEMORY_ORGANIZATION_SHARE_PERCENT: 'remove it: it is 25; raise MEMORY_BUDGET_MB',
  MEMORY_USER_SHARE_PERCENT: 'remove it: it is 10; raise MEMORY_BUDGET_MB',
  TOKEN_TIMEOUT_SECONDS: 'remove it: it is 5',
  TOOL_RESULT_MAX_BYTES: 'remove it: it is 4 MiB',
  TRANSACTION_TOKENS_PER_MINUTE: 'remove it: it is 6000 for each workload',
};
