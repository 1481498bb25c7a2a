import { isDeepStrictEqual } from 'node:util';
import { notFound, Problem } from '@legate/service';
import type { VersionCheck } from '../api/preconditions.ts';
import type { Stored } from '../api/stored.ts';
import { validationFailed } from '../api/validation.ts';
import { changesBetween } from '../audit/audit-event.ts';
import type { Change } from '../changes/change.ts';
import { createLifeCycle, type ResourceService, withDefined } from '../resources/life-cycle.ts';
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
import {
  checkSettings,
  fallbackSecretOutlives,
  methodsOf,
  secretOutlives,
  takesSecret,
  whyNoSecret,
} from './rules.ts';
import type { SecretCipher } from './secret-cipher.ts';
import {
  factsOf,
  firstSecrets,
  kindOfOwn,
  ownSecretOnly,
  type SecretEdit,
  secretsOf,
  toStore,
  toTell,
} from './secret-edit.ts';
import { faultOfSecret, type SecretFault } from './service-secret.ts';
import type { ConnectorStore, SecretChanges } from './store.ts';

/** 409 `resource_already_registered` where another connector has the resource, also for one that is restored. */
export interface Connectors
  extends ResourceService<Connector, ListConnectors, CreateConnector, UpdateConnector> {
  remove(change: Change, id: string, check: VersionCheck): Promise<void>;
  /** @throws {Problem} 409 `secret_not_applicable`, 400 for one that the method cannot show */
  putSecret(change: Change, id: string, check: VersionCheck, secret: string): Promise<void>;
  /** @throws {Problem} 409 `secret_required` for a connector that is enabled */
  removeSecret(change: Change, id: string, check: VersionCheck): Promise<void>;
  /**
   * Lets the hub use the fallback as it is, although ID-JAGs have worked at the tool server.
   * @throws {Problem} 409 `fallback_not_used` for a connector without one
   */
  approveFallback(change: Change, id: string, check: VersionCheck): Promise<Stored<Connector>>;
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

  const storedBy = (edit: SecretEdit, { organizationId }: Change, connectorId: string): SecretChanges =>
    toStore(edit, { place: { organizationId, connectorId }, cipher, now: clock() });
  const faultOfIssuer = ({ issuer }: ConnectorSettings) => (issuer === null ? undefined : faultOfUrl(issuer));

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: lifeCycle.restore,
    remove: (change, id, check) => lifeCycle.remove(change, id, check),
    lock: async (change, id) => (await lifeCycle.lock(change, id)).value,
    async create(change, { secret, fallback_secret, ...given }) {
      const wanted = normalized(given);
      const edit = firstSecrets({ own: secret, fallback: fallback_secret });
      checkSettings(wanted, {
        ...factsOf(edit, wanted, clock()),
        metadata: null,
        urlFault: faultOfUrl(wanted.resource_url),
        issuerFault: faultOfIssuer(wanted),
        needsNewAcknowledgement: false,
      });
      return lifeCycle.create(
        change,
        (id) => store.create(change, id, wanted, storedBy(edit, change, id)),
        toTell(edit),
      );
    },
    async update(change, id, check, patch) {
      const { value: before, version } = await lifeCycle.lock(change, id, check);
      const { secret, fallback_secret, ...fields } = patch(before);
      const current = settingsOf(before);
      const wanted = normalized(withDefined(current, fields));
      const edit: SecretEdit = {
        before: secretsOf(before),
        sent: { own: secret, fallback: fallback_secret },
        mayStay: {
          own: secretOutlives(current, wanted),
          fallback: fallbackSecretOutlives(current, wanted),
        },
      };
      const isSameResource = wanted.resource_url === current.resource_url;
      const hasNewScopes = isSameResource && !isDeepStrictEqual(wanted.scopes, current.scopes);
      checkSettings(wanted, {
        ...factsOf(edit, wanted, clock()),
        metadata: hasNewScopes ? before.metadata : null,
        // One that was allowed when it was registered can still be renamed or disabled.
        urlFault: isSameResource ? undefined : faultOfUrl(wanted.resource_url),
        issuerFault: wanted.issuer === current.issuer ? undefined : faultOfIssuer(wanted),
        needsNewAcknowledgement: !isSameResource && fields.acknowledge_legacy !== true,
      });
      const sendsNone = secret === undefined && fallback_secret === undefined;
      if (sendsNone && isDeepStrictEqual(wanted, current)) return { value: before, version };
      const after = await store.update(change, id, wanted, storedBy(edit, change, id));
      await lifeCycle.recordUpdate(change, before, after.value, toTell(edit));
      return after;
    },
    async putSecret(change, id, check, secret) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!takesSecret(connector.auth_method)) {
        throw new Problem(409, 'secret_not_applicable', 'Secret not applicable', {
          detail: whyNoSecret(connector.auth_method),
        });
      }
      const fault = faultOfSecret(kindOfOwn(connector), secret, clock());
      if (fault) throw secretRefused(fault);
      const edit = ownSecretOnly(connector, secret);
      await store.update(change, id, settingsOf(connector), storedBy(edit, change, id));
      await lifeCycle.record(change, 'secret_set', connector, toTell(edit));
    },
    async removeSecret(change, id, check) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!connector.has_secret) throw notFound('The connector has no secret.');
      if (connector.enabled) {
        throw new Problem(409, 'secret_required', 'Secret required', {
          detail: 'An enabled connector needs its secret. Send enabled: false first.',
        });
      }
      const edit = ownSecretOnly(connector, undefined);
      await store.update(change, id, settingsOf(connector), storedBy(edit, change, id));
      await lifeCycle.record(change, 'secret_removed', connector, toTell(edit));
    },
    async approveFallback(change, id, check) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (connector.fallback.length === 0) {
        throw new Problem(409, 'fallback_not_used', 'Fallback not used', {
          detail: 'The connector has no fallback that could be approved.',
        });
      }
      const approved = await store.approveFallback(change, id, clock());
      const changes = changesBetween(connector, approved.value, ['fallback_approved_at']);
      await lifeCycle.record(change, 'fallback_approved', connector, changes);
      return approved;
    },
  };
}

const settingsOf = (connector: Connector): ConnectorSettings => ({
  name: connector.name,
  resource_url: connector.resource_url,
  auth_method: connector.auth_method,
  service_kind: connector.service_kind,
  scopes: connector.scopes,
  step_up_scopes: connector.step_up_scopes,
  client_id: connector.client_id,
  issuer: connector.issuer,
  fallback: connector.fallback,
  passthrough_audiences: connector.passthrough_audiences,
  api_key_header: connector.api_key_header,
  ca_certificates: connector.ca_certificates,
  discovery: connector.discovery,
  enabled: connector.enabled,
  acknowledge_legacy: connector.acknowledge_legacy,
});

/** An acknowledgement does not outlive the method it is about: who turns passthrough on again says so again. */
const normalized = (settings: ConnectorSettings): ConnectorSettings =>
  methodsOf(settings).includes('passthrough') ? settings : { ...settings, acknowledge_legacy: false };

const secretRefused = ({ code, detail }: SecretFault): Problem =>
  validationFailed([{ pointer: '/secret', code, detail }]);
