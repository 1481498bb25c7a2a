import { isDeepStrictEqual } from 'node:util';
import { type Page, toPage } from '@legate/pagination';
import { notFound, Problem } from '@legate/service';
import { ulid } from 'ulid';
import { isId } from '../api/id.ts';
import type { VersionCheck } from '../api/preconditions.ts';
import type { Stored } from '../api/stored.ts';
import { changesBetween, type FieldChanges } from '../audit/audit-event.ts';
import type { Change } from '../changes/change.ts';
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

const RESTORABLE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;
const REDACTED = '[redacted]';

/** As `Sites`: 404 also for what belongs to another organization. 409 where the resource is registered already. */
export interface Connectors {
  list(organizationId: string, query: ListConnectors): Promise<Page<Connector>>;
  find(organizationId: string, id: string): Promise<Stored<Connector>>;
  create(change: Change, connector: CreateConnector): Promise<Stored<Connector>>;
  /** For a change of what belongs to the connector. */
  lock(change: Change, id: string): Promise<Connector>;
  update(
    change: Change,
    id: string,
    check: VersionCheck,
    patch: (current: Connector) => UpdateConnector,
  ): Promise<Stored<Connector>>;
  /** For 30 days it can be restored, with its secret and the agents that use it. */
  remove(change: Change, id: string, check: VersionCheck): Promise<void>;
  restore(change: Change, id: string): Promise<Stored<Connector>>;
  /** @throws {Problem} 409 `secret_not_applicable` */
  putSecret(change: Change, id: string, check: VersionCheck, secret: string): Promise<void>;
  /** @throws {Problem} 409 `secret_required` for a connector that is enabled */
  removeSecret(change: Change, id: string, check: VersionCheck): Promise<void>;
}

export function createConnectors(deps: {
  store: ConnectorStore;
  cipher: SecretCipher;
  faultOfUrl: (url: string) => ResourceUrlFault | undefined;
  clock: () => Date;
}): Connectors {
  const { store, cipher, faultOfUrl, clock } = deps;

  async function lock({ connection, organizationId }: Change, id: string): Promise<Stored<Connector>> {
    return existing(isId(id) && (await store.lock(connection, organizationId, id)));
  }

  const sealed = ({ organizationId }: Change, connectorId: string, secret: string): SecretChange => ({
    sealed: cipher.seal({ organizationId, connectorId }, secret),
    at: clock(),
  });

  const record = (change: Change, what: string, { id, name }: Connector, changes?: FieldChanges) =>
    change.record({
      action: `connector.${what}`,
      targets: [{ type: 'connector', id, name }],
      ...(changes && { changes }),
    });

  return {
    lock: async (change, id) => (await lock(change, id)).value,
    async list(organizationId, query) {
      const { connectors, total } = await store.list(organizationId, query);
      return toPage(connectors, total, query);
    },
    async find(organizationId, id) {
      return existing(isId(id) && (await store.find(organizationId, id)));
    },
    async create(change, { secret, ...given }) {
      const wanted = normalized(given);
      const sendsSecret = secret !== undefined;
      const urlFault = faultOfUrl(wanted.resource_url);
      checkSettings(wanted, { hasSecret: sendsSecret, sendsSecret, metadata: null, urlFault });
      const id = `con_${ulid(clock().getTime())}`;
      const created = await store.create(
        change.connection,
        change.organizationId,
        id,
        wanted,
        secret === undefined ? 'drop' : sealed(change, id, secret),
      );
      await record(change, 'created', created.value, {
        ...changesBetween({}, created.value, CONNECTOR_FIELDS),
        ...secretChange(false, sendsSecret, sendsSecret),
      });
      return created;
    },
    async update(change, id, check, patch) {
      const before = await lock(change, id);
      check(before.version);
      const { secret, ...fields } = patch(before.value);
      const current = settingsOf(before.value);
      const wanted = normalized(withDefined(current, fields));
      const sendsSecret = secret !== undefined;
      const keeps = before.value.has_secret && secretOutlives(current, wanted);
      const isSameResource = wanted.resource_url === current.resource_url;
      const hasNewScopes = isSameResource && !isDeepStrictEqual(wanted.scopes, current.scopes);
      checkSettings(wanted, {
        hasSecret: sendsSecret || keeps,
        sendsSecret,
        metadata: hasNewScopes ? before.value.metadata : null,
        // One that was allowed when it was registered can still be renamed or disabled.
        urlFault: isSameResource ? undefined : faultOfUrl(wanted.resource_url),
      });
      if (!sendsSecret && isDeepStrictEqual(wanted, current)) return before;
      const kept: SecretChange = keeps ? 'keep' : 'drop';
      const after = await store.update(
        change.connection,
        change.organizationId,
        id,
        wanted,
        secret === undefined ? kept : sealed(change, id, secret),
      );
      await record(change, 'updated', after.value, {
        ...changesBetween(before.value, after.value, CONNECTOR_FIELDS),
        ...secretChange(before.value.has_secret, after.value.has_secret, sendsSecret),
      });
      return after;
    },
    async remove(change, id, check) {
      const { value: connector, version } = await lock(change, id);
      check(version);
      await store.setDeleted(change.connection, change.organizationId, id, clock());
      await record(change, 'deleted', connector);
    },
    async restore(change, id) {
      const { connection, organizationId } = change;
      const since = new Date(clock().getTime() - RESTORABLE_DAYS * DAY_MS);
      const found = isId(id) && (await store.lockRestorable(connection, organizationId, id, since));
      if (!existing(found).deleted) return lock(change, id);
      const restored = await store.setDeleted(connection, organizationId, id, null);
      await record(change, 'restored', restored.value);
      return restored;
    },
    async putSecret(change, id, check, secret) {
      const { value: connector, version } = await lock(change, id);
      check(version);
      if (!takesSecret(connector.auth_method)) {
        throw new Problem(409, 'secret_not_applicable', 'Secret not applicable', {
          detail: `The method ${connector.auth_method} has no secret.`,
        });
      }
      const { connection, organizationId } = change;
      await store.update(connection, organizationId, id, settingsOf(connector), sealed(change, id, secret));
      await record(change, 'secret_set', connector, secretChange(connector.has_secret, true, true));
    },
    async removeSecret(change, id, check) {
      const { value: connector, version } = await lock(change, id);
      check(version);
      if (!connector.has_secret) throw notFound('The connector has no secret.');
      if (connector.enabled) {
        throw new Problem(409, 'secret_required', 'Secret required', {
          detail: 'An enabled connector needs its secret. Send enabled: false first.',
        });
      }
      await store.update(change.connection, change.organizationId, id, settingsOf(connector), 'drop');
      await record(change, 'secret_removed', connector, secretChange(true, false, false));
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

function withDefined(current: ConnectorSettings, patch: Omit<UpdateConnector, 'secret'>): ConnectorSettings {
  const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(defined) };
}

/** That there is a secret may be known, and that it changed. */
function secretChange(before: boolean, after: boolean, replaced: boolean): FieldChanges {
  if (before === after && !replaced) return {};
  return { secret: { from: before ? REDACTED : null, to: after ? REDACTED : null } };
}

/** @throws {Problem} 404 */
function existing<Thing>(found: Thing | undefined | false): Thing {
  if (!found) throw notFound('There is no such connector.');
  return found;
}
