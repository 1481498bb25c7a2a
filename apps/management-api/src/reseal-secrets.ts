import { createLogger, startOrExit } from '@legate/service';
import { loadConnectorKeys } from './catalog/connectors/encryption-keys.ts';
import { resealSecrets } from './catalog/connectors/reseal.ts';
import { createSecretCipher } from './catalog/connectors/secret-cipher.ts';
import { loadResealConfig } from './config.ts';
import { withJobDatabase } from './storage/open.ts';

/** Re-encrypts the secrets of all connectors with the newest key; exits with 1 if one could not be decrypted. */
startOrExit(async () => {
  const config = loadResealConfig(process.env);
  const log = createLogger({ service: 'management-api', level: config.LOG_LEVEL });
  const keys = loadConnectorKeys(config);
  if (!keys) throw new Error('CONNECTOR_ENCRYPTION_KEYS is not set, so no secret can be encrypted');
  await withJobDatabase(config, log, async (tenants) => {
    const { unreadable, ...counts } = await resealSecrets({ tenants, cipher: createSecretCipher(keys) });
    for (const { organizationId, connectorId } of unreadable) {
      log.warn(
        { organization_id: organizationId, connector_id: connectorId },
        'a secret cannot be decrypted',
      );
    }
    log.info({ key: keys.activeId, ...counts, unreadable: unreadable.length }, 'secrets are re-encrypted');
    if (unreadable.length > 0) throw new Error(`${unreadable.length} secret(s) cannot be decrypted`);
  });
}, 'not all secrets could be re-encrypted');
