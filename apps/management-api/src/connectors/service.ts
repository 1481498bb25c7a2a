import { isDeepStrictEqual } from 'node:util';
import { notFound, Problem } from '@legate/service';
import type { VersionCheck } from '../api/preconditions.ts';
import { validationFailed } from '../api/validation.ts';
import type { FieldChanges } from '../audit/audit-event.ts';
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
  type SecretFacts,
  secretOutlives,
  takesSecret,
} from './rules.ts';
import type { SecretCipher, SecretPlace } from './secret-cipher.ts';
import { faultOfSecret, type SecretFault } from './service-secret.ts';
import type { ConnectorStore, SecretChange, SecretChanges } from './store.ts';

const REDACTED = '[redacted]';

/** 409 `resource_already_registered` where another connector has the resource, also for one that is restored. */
export interface Connectors
  extends ResourceService<Connector, ListConnectors, CreateConnector, UpdateConnector> {
  remove(change: Change, id: string, check: VersionCheck): Promise<void>;
  /** @throws {Problem} 409 `secret_not_applicable`, 400 for one that the method cannot show */
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

  /** @param sent undefined: it stays if it `outlives` the change, else it goes */
  function secretChangeOf(place: SecretPlace, sent: string | undefined, outlives: boolean): SecretChange {
    if (sent !== undefined) return { sealed: cipher.seal(place, sent), at: clock() };
    return outlives ? 'keep' : 'drop';
  }

  function changesOf(
    { organizationId }: Change,
    connectorId: string,
    sent: SentSecrets,
    outlives: { secret: boolean; fallback: boolean },
  ): SecretChanges {
    const place = { organizationId, connectorId };
    return {
      secret: secretChangeOf(place, sent.secret, outlives.secret),
      fallbackSecret: secretChangeOf({ ...place, of: 'fallback' }, sent.fallback_secret, outlives.fallback),
    };
  }

  function factsOf(sent: string | undefined, isKept: boolean, kind: Connector['service_kind']): SecretFacts {
    const fault = sent === undefined ? undefined : faultOfSecret(kind, sent, clock());
    return { isThere: sent !== undefined || isKept, isSent: sent !== undefined, fault };
  }

  const factsOfSecrets = (
    wanted: ConnectorSettings,
    sent: SentSecrets,
    keeps: { secret: boolean; fallback: boolean },
  ) => ({
    secret: factsOf(sent.secret, keeps.secret, wanted.auth_method === 'service' ? wanted.service_kind : null),
    fallbackSecret: factsOf(sent.fallback_secret, keeps.fallback, wanted.service_kind),
  });

  const faultOfIssuer = ({ issuer }: ConnectorSettings) => (issuer === null ? undefined : faultOfUrl(issuer));

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: lifeCycle.restore,
    remove: (change, id, check) => lifeCycle.remove(change, id, check),
    lock: async (change, id) => (await lifeCycle.lock(change, id)).value,
    async create(change, { secret, fallback_secret, ...given }) {
      const wanted = normalized(given);
      const sent = { secret, fallback_secret };
      checkSettings(wanted, {
        ...factsOfSecrets(wanted, sent, NEITHER),
        metadata: null,
        urlFault: faultOfUrl(wanted.resource_url),
        issuerFault: faultOfIssuer(wanted),
        needsNewAcknowledgement: false,
      });
      return lifeCycle.create(
        change,
        (id) => store.create(change, id, wanted, changesOf(change, id, sent, NEITHER)),
        secretChanges(NO_SECRETS, sentSecrets(sent), sent),
      );
    },
    async update(change, id, check, patch) {
      const { value: before, version } = await lifeCycle.lock(change, id, check);
      const { secret, fallback_secret, ...fields } = patch(before);
      const sent = { secret, fallback_secret };
      const current = settingsOf(before);
      const wanted = normalized(withDefined(current, fields));
      const keeps = {
        secret: before.has_secret && secretOutlives(current, wanted),
        fallback: before.has_fallback_secret && fallbackSecretOutlives(current, wanted),
      };
      const isSameResource = wanted.resource_url === current.resource_url;
      const hasNewScopes = isSameResource && !isDeepStrictEqual(wanted.scopes, current.scopes);
      checkSettings(wanted, {
        ...factsOfSecrets(wanted, sent, keeps),
        metadata: hasNewScopes ? before.metadata : null,
        // One that was allowed when it was registered can still be renamed or disabled.
        urlFault: isSameResource ? undefined : faultOfUrl(wanted.resource_url),
        issuerFault: wanted.issuer === current.issuer ? undefined : faultOfIssuer(wanted),
        needsNewAcknowledgement: !isSameResource && fields.acknowledge_legacy !== true,
      });
      const sendsNone = secret === undefined && fallback_secret === undefined;
      if (sendsNone && isDeepStrictEqual(wanted, current)) return { value: before, version };
      const after = await store.update(change, id, wanted, changesOf(change, id, sent, keeps));
      const ofSecrets = secretChanges(before, after.value, sent);
      await lifeCycle.recordUpdate(change, before, after.value, ofSecrets);
      return after;
    },
    async putSecret(change, id, check, secret) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!takesSecret(connector.auth_method)) {
        throw new Problem(409, 'secret_not_applicable', 'Secret not applicable', {
          detail: `The method ${connector.auth_method} has no secret.`,
        });
      }
      const kind = connector.auth_method === 'service' ? connector.service_kind : null;
      const fault = faultOfSecret(kind, secret, clock());
      if (fault) throw secretRefused(fault);
      const changes = changesOf(change, id, { secret }, { secret: false, fallback: true });
      await store.update(change, id, settingsOf(connector), changes);
      const told = secretChange('secret', connector.has_secret, true, true);
      await lifeCycle.record(change, 'secret_set', connector, told);
    },
    async removeSecret(change, id, check) {
      const { value: connector } = await lifeCycle.lock(change, id, check);
      if (!connector.has_secret) throw notFound('The connector has no secret.');
      if (connector.enabled) {
        throw new Problem(409, 'secret_required', 'Secret required', {
          detail: 'An enabled connector needs its secret. Send enabled: false first.',
        });
      }
      const changes = changesOf(change, id, {}, { secret: false, fallback: true });
      await store.update(change, id, settingsOf(connector), changes);
      const told = secretChange('secret', true, false, false);
      await lifeCycle.record(change, 'secret_removed', connector, told);
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

type HasSecrets = Pick<Connector, 'has_secret' | 'has_fallback_secret'>;
interface SentSecrets {
  readonly secret?: string | undefined;
  readonly fallback_secret?: string | undefined;
}
const NEITHER = { secret: false, fallback: false };
const NO_SECRETS: HasSecrets = { has_secret: false, has_fallback_secret: false };
const sentSecrets = (sent: SentSecrets): HasSecrets => ({
  has_secret: sent.secret !== undefined,
  has_fallback_secret: sent.fallback_secret !== undefined,
});

const secretChanges = (before: HasSecrets, after: HasSecrets, sent: SentSecrets): FieldChanges => ({
  ...secretChange('secret', before.has_secret, after.has_secret, sent.secret !== undefined),
  ...secretChange(
    'fallback_secret',
    before.has_fallback_secret,
    after.has_fallback_secret,
    sent.fallback_secret !== undefined,
  ),
});

/** That there is a secret may be known, and that it changed. */
function secretChange(field: string, before: boolean, after: boolean, replaced: boolean): FieldChanges {
  if (before === after && !replaced) return {};
  return { [field]: { from: before ? REDACTED : null, to: after ? REDACTED : null } };
}

const secretRefused = ({ code, detail }: SecretFault): Problem =>
  validationFailed([{ pointer: '/secret', code, detail }]);
