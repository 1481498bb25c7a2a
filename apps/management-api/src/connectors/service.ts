import { isDeepStrictEqual } from 'node:util';
import { notFound, Problem } from '@legate/service';
import type { VersionCheck } from '../api/preconditions.ts';
import type { Stored } from '../api/stored.ts';
import type { FieldChanges } from '../audit/audit-event.ts';
import type { Change } from '../changes/change.ts';
import { createLifeCycle, type LifeCycle, withDefined } from '../resources/life-cycle.ts';
import type { CheckQuota } from '../resources/quota.ts';
import {
  CONNECTOR_FIELDS,
  type Connector,
  type ConnectorSettings,
  type CreateConnector,
  type ListConnectors,
  type UpdateConnector,
} from './connector.ts';
import type { ResourceUrlFault } from './resource-url.ts';
import { checkSettings, secretOutlives, takesSecret } from './rules.ts';
import type { SecretCipher } from './secret-cipher.ts';
import type { ConnectorStore, SecretChange } from './store.ts';

const REDACTED = '[redacted]';

/** 409 `resource_already_registered` where another connector has the resource, also for one that is restored. */
export interface Connectors extends Pick<LifeCycle<Connector, ListConnectors>, 'list' | 'find' | 'restore'> {
  create(change: Change, connector: CreateConnector): Promise<Stored<Connector>>;
  /** For a change of what belongs to the connector. */
  lock(change: Change, id: string): Promise<Connector>;
  /** @param patch made of the connector as it is in the transaction; what changes nothing leaves the version */
  update(
    change: Change,
    id: string,
    check: VersionCheck,
    patch: (current: Connector) => UpdateConnector,
  ): Promise<Stored<Connector>>;
  remove(change: Change, id: string, check: VersionCheck): Promise<void>;
  /** @throws {Problem} 409 `secret_not_applicable` */
  putSecret(change: Change, id: string, check: VersionCheck, secret: string): Promise<void>;
  /** @throws {Problem} 409 `secret_required` for a connector that is enabled */
  removeSecret(change: Change, id: string, check: VersionCheck): Promise<void>;
}

export function createConnectors(deps: {
  store: ConnectorStore;
  cipher: SecretCipher;
  faultOfUrl: (url: string) => ResourceUrlFault | undefined;
  checkQuota: CheckQuota;
  clock: () => Date;
}): Connectors {
  const { store, cipher, faultOfUrl, clock } = deps;
  const lifeCycle = createLifeCycle({
    ...deps,
    type: 'connector',
    idPrefix: 'con',
    fields: CONNECTOR_FIELDS,
  });

  const sealed = ({ organizationId }: Change, connectorId: string, secret: string): SecretChange => ({
    sealed: cipher.seal({ organizationId, connectorId }, secret),
    at: clock(),
  });

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: lifeCycle.restore,
    remove: (change, id, check) => lifeCycle.remove(change, id, check),
    lock: async (change, id) => (await lifeCycle.lock(change, id)).value,
    async create(change, { secret, ...given }) {
      const wanted = normalized(given);
      const sendsSecret = secret !== undefined;
      const urlFault = faultOfUrl(wanted.resource_url);
      checkSettings(wanted, { hasSecret: sendsSecret, sendsSecret, metadata: null, urlFault });
      return lifeCycle.create(
        change,
        (id) => store.create(change, id, wanted, sendsSecret ? sealed(change, id, secret) : 'drop'),
        secretChange(false, sendsSecret, sendsSecret),
      );
    },
    async update(change, id, check, patch) {
      const { value: before, version } = await lifeCycle.lock(change, id, check);
      const { secret, ...fields } = patch(before);
      const current = settingsOf(before);
      const wanted = normalized(withDefined(current, fields));
      const sendsSecret = secret !== undefined;
      const keeps = before.has_secret && secretOutlives(current, wanted);
      const isSameResource = wanted.resource_url === current.resource_url;
      const hasNewScopes = isSameResource && !isDeepStrictEqual(wanted.scopes, current.scopes);
      checkSettings(wanted, {
        hasSecret: sendsSecret || keeps,
        sendsSecret,
        metadata: hasNewScopes ? before.metadata : null,
        // One that was allowed when it was registered can still be renamed or disabled.
        urlFault: isSameResource ? undefined : faultOfUrl(wanted.resource_url),
      });
      if (!sendsSecret && isDeepStrictEqual(wanted, current)) return { value: before, version };
      const kept: SecretChange = keeps ? 'keep' : 'drop';
      const after = await store.update(change, id, wanted, sendsSecret ? sealed(change, id, secret) : kept);
      const ofSecret = secretChange(before.has_secret, after.value.has_secret, sendsSecret);
      await lifeCycle.recordUpdate(change, before, after.value, ofSecret);
      return after;
    },
    async putSecret(change, id, check, secret) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!takesSecret(connector.auth_method)) {
        throw new Problem(409, 'secret_not_applicable', 'Secret not applicable', {
          detail: `The method ${connector.auth_method} has no secret.`,
        });
      }
      await store.update(change, id, settingsOf(connector), sealed(change, id, secret));
      const ofSecret = secretChange(connector.has_secret, true, true);
      await lifeCycle.record(change, 'secret_set', connector, ofSecret);
    },
    async removeSecret(change, id, check) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!connector.has_secret) throw notFound('The connector has no secret.');
      if (connector.enabled) {
        throw new Problem(409, 'secret_required', 'Secret required', {
          detail: 'An enabled connector needs its secret. Send enabled: false first.',
        });
      }
      await store.update(change, id, settingsOf(connector), 'drop');
      await lifeCycle.record(change, 'secret_removed', connector, secretChange(true, false, false));
    },
  };
}

const settingsOf = (connector: Connector): ConnectorSettings => ({
  name: connector.name,
  resource_url: connector.resource_url,
  auth_method: connector.auth_method,
  service_kind: connector.service_kind,
  scopes: connector.scopes,
  client_id: connector.client_id,
  discovery: connector.discovery,
  enabled: connector.enabled,
  acknowledge_legacy: connector.acknowledge_legacy,
});

/** An acknowledgement does not outlive the method it is about: who turns passthrough on again says so again. */
const normalized = (settings: ConnectorSettings): ConnectorSettings =>
  settings.auth_method === 'passthrough' ? settings : { ...settings, acknowledge_legacy: false };

/** That there is a secret may be known, and that it changed. */
function secretChange(before: boolean, after: boolean, replaced: boolean): FieldChanges {
  if (before === after && !replaced) return {};
  return { secret: { from: before ? REDACTED : null, to: after ? REDACTED : null } };
}
