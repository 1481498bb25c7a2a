import { openBackend, parseEncryptionKeys, redisSettingsOf } from '@legate/secure-store';
import { ConfigError, createLogger, startOrExit } from '@legate/service';
import { createRefusedEvents, createUnreadableEvents } from './audit/kept-events.ts';
import { AUDIT_INTAKE } from './audit/open.ts';
import { createPostEvents } from './audit/post-events.ts';
import { replayKept } from './audit/replay-kept.ts';
import { loadConfig } from './config.ts';
import { openManagementApi } from './platform/management-api.ts';

/**
 * Sends audit events again that management-api refused or a hub could not decrypt. It has the settings of a hub, and is
 * for an operator who has fixed the cause. Exits with 1 if some events are refused again or still cannot be decrypted,
 * or if it cannot connect.
 */
startOrExit(async () => {
  const config = loadConfig(process.env);
  const { ENCRYPTION_KEYS: encryptionKeys } = config;
  const settings = redisSettingsOf(config);
  const clock = () => new Date();
  const managementApi = openManagementApi(config, clock)?.open(AUDIT_INTAKE);
  if (!managementApi) throw new ConfigError(['MANAGEMENT_API_URL: required to replay audit events']);
  if (settings === undefined || encryptionKeys === undefined)
    throw new ConfigError(['REDIS_URL: required, because refused events are stored there']);
  const log = createLogger({ service: 'tool-hub', level: config.LOG_LEVEL });
  const store = await openBackend(settings, {
    connectionName: 'replay-audit',
    keyPrefix: config.REDIS_KEY_PREFIX,
    clock,
    onError: (err) => log.warn({ err }, 'redis'),
  });
  try {
    if (!store.redis) return;
    const keys = parseEncryptionKeys(encryptionKeys);
    const post = createPostEvents(managementApi);
    const onRefused = (event: string, faults: string) =>
      log.error({ event_id: /"id":"(evt_\w{26})"/.exec(event)?.[1], faults }, 'audit event refused');
    const replayed = { taken: 0, refused: 0, unreadable: 0 };
    for (const open of [createRefusedEvents, createUnreadableEvents]) {
      const keptEvents = open({ redis: store.redis, keys });
      const { taken, refused, unreadable } = await replayKept({ keptEvents, post, onRefused });
      replayed.taken += taken;
      replayed.refused += refused;
      replayed.unreadable += unreadable;
    }
    log.info(replayed, 'audit events are replayed');
    if (replayed.refused + replayed.unreadable > 0) process.exitCode = 1;
  } finally {
    store.close();
    await managementApi.close();
  }
}, 'audit events could not be replayed');
