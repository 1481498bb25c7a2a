import type { ExchangePlace } from '@legate/identity-providers';
import type { MakeChange } from '../../changes/change.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { NotifyHub } from '../../hub/notify-hub.ts';
import type { Platform } from '../../platform/platform.ts';
import type { CheckQuota } from '../resources/quota.ts';
import { createConnectorCheck } from './check.ts';
import { createResourceUrlCheck } from './resource-url.ts';
import { createRevokeTokens } from './revoke-tokens.ts';
import { connectorOperations } from './routes.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { type Connectors, createConnectors } from './service.ts';
import { createConnectorStore } from './store.ts';

export function openConnectors(
  { tenants, http, clock }: Platform,
  parts: {
    makeChange: MakeChange;
    checkQuota: CheckQuota;
    cipher: SecretCipher;
    /** Non-public addresses that the HTTP client may reach */
    outboundAllow: readonly string[];
    refusedAudiences: ExchangePlace;
    /** undefined: no hub is configured */
    notifyHub: NotifyHub | undefined;
  },
): { readonly connectors: Connectors; readonly operations: Operation[] } {
  const { makeChange, checkQuota, cipher, notifyHub, refusedAudiences } = parts;
  const store = createConnectorStore(tenants);
  const faultOfUrl = createResourceUrlCheck(parts.outboundAllow);
  const connectors = createConnectors({ store, cipher, faultOfUrl, refusedAudiences, checkQuota, clock });
  const check = createConnectorCheck({
    ...{ connectors, store, makeChange, getJson: http.getJson, clock },
    idpIssuer: refusedAudiences.issuer,
  });
  const revokeTokens = createRevokeTokens({ connectors, notifyHub, makeChange });
  const { findHolder } = store;
  const operations = connectorOperations({ connectors, check, revokeTokens, cipher, findHolder });
  return { connectors, operations };
}
