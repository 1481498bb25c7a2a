import type { TenantDatabase } from '@legate/postgres';
import type { HttpClient } from '@legate/service';
import type { Operation } from '../api/operation.ts';
import type { MakeChange } from '../changes/change.ts';
import type { CheckQuota } from '../resources/quota.ts';
import type { TellHub } from '../revocations/tell-hub.ts';
import { createConnectorCheck } from './check.ts';
import { createResourceUrlCheck } from './resource-url.ts';
import { createRevokeTokens } from './revoke-tokens.ts';
import { connectorOperations } from './routes.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { type Connectors, createConnectors } from './service.ts';
import { createConnectorStore } from './store.ts';

export function createConnectorsFeature(deps: {
  tenants: TenantDatabase;
  makeChange: MakeChange;
  checkQuota: CheckQuota;
  cipher: SecretCipher;
  /** The guarded client's, for URLs of customers */
  getJson: HttpClient['getJson'];
  /** Addresses that this client may reach besides public ones */
  outboundAllow: readonly string[];
  /** undefined: there is no hub */
  tellHub: TellHub | undefined;
  clock: () => Date;
}): { connectors: Connectors; operations: Operation[] } {
  const { tenants, makeChange, checkQuota, cipher, getJson, outboundAllow, tellHub, clock } = deps;
  const store = createConnectorStore(tenants);
  const faultOfUrl = createResourceUrlCheck(outboundAllow);
  const connectors = createConnectors({ store, cipher, faultOfUrl, checkQuota, clock });
  const check = createConnectorCheck({ connectors, store, makeChange, getJson, clock });
  const revokeTokens = createRevokeTokens({ connectors, tellHub, makeChange });
  return { connectors, operations: connectorOperations({ connectors, check, revokeTokens, cipher }) };
}
