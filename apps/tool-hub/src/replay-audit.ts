import { openBackend, redisSettingsOf } from '@legate/secure-store';
import { ConfigError, createLogger, startOrExit } from '@legate/service';
import { AUDIT_INTAKE } from './audit/open-audit.ts';
import { createPostEvents } from './audit/post-events.ts';
import { createRefusedEvents } from './audit/refused-events.ts';
import { replayRefused } from './audit/replay-refused.ts';
import { loadConfig } from './config.ts';
import { openManagementApi } from './management-api/open-client.ts';

/**
 * Sends audit events that management-api refused to it once more, with the settings of a hub; for an operator who has
 * mended the cause. Exits with 1 where some are refused again, or it cannot be reached.
 */
startOrExit(async () => {
  const config = loadConfig(process.env);
  const { MANAGEMENT_API_URL: managementApiUrl } = config;
  const settings = redisSettingsOf(config);
  if (managementApiUrl === undefined)
    throw new ConfigError(['MANAGEMENT_API_URL: required to replay audit events']);
  if (settings === undefined) throw new ConfigError(['REDIS_URL: required, refused events are kept there']);
  const clock = () => new Date();
  const log = createLogger({ service: 'tool-hub', level: config.LOG_LEVEL });
  const managementApi = openManagementApi(config, managementApiUrl, { ...AUDIT_INTAKE, clock });
  const store = await openBackend(settings, {
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  try {
    if (!store.redis) return;
    const replayed = await replayRefused({
      refusedEvents: createRefusedEvents(store.redis),
      post: createPostEvents({ ...managementApi, managementApiUrl }),
      onRefused: (event, faults) =>
        log.error({ event_id: /"id":"(evt_\w{26})"/.exec(event)?.[1], faults }, 'audit event refused'),
    });
    log.info(replayed, 'refused audit events are replayed');
    if (replayed.refused > 0) process.exitCode = 1;
  } finally {
    store.close();
    await managementApi.close();
  }
}, 'refused audit events could not be replayed');
