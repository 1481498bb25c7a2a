import { isDeepStrictEqual } from 'node:util';
import type { ExchangePlace } from '@legate/identity-providers';
import type { ConnectorId } from '@legate/ids';
import { slugFrom } from '@legate/management-contract';
import type { Change } from '../../changes/change.ts';
import { changesBetween } from '../../domain/audit-event.ts';
import { problem } from '../../domain/problem-codes.ts';
import { type VersionCheck, withDefined } from '../../domain/stored.ts';
import { createLifeCycle, type LifeCycle } from '../resources/life-cycle.ts';
import type { CheckQuota } from '../resources/quota.ts';
import {
  CONNECTOR_FIELDS,
  type Connector,
  type ConnectorSettings,
  type CreateConnector,
  type ListConnectors,
  settingsOf,
  type UpdateConnector,
} from './connector.ts';
import { createExchangeAudienceCheck } from './exchange-audience.ts';
import { isExchange, isLegacy, methodsUsed } from './methods.ts';
import type { ResourceUrlFault } from './resource-url.ts';
import {
  checkSettings,
  clientFieldsEnded,
  fallbackSecretOutlives,
  isSameServer,
  secretOutlives,
} from './rules.ts';
import type { SecretCipher } from './secret-cipher.ts';
import { auditedChanges, factsOf, firstSecrets, type SecretEdit, secretsOf, toStore } from './secret-edit.ts';
import { createConnectorSecrets } from './secret-service.ts';
import type { ConnectorStore, SecretChanges } from './store.ts';

export type Connectors = ReturnType<typeof createConnectors>;

/** Throws 409 `resource_already_registered` if another connector has the resource, also on a restore. */
export function createConnectors(deps: {
  store: ConnectorStore;
  cipher: SecretCipher;
  faultOfUrl: (url: string) => ResourceUrlFault | undefined;
  refusedAudiences: ExchangePlace;
  checkQuota: CheckQuota;
  clock: () => Date;
}) {
  const { store, cipher, faultOfUrl, checkQuota, clock } = deps;
  const checkAudience = createExchangeAudienceCheck(deps);
  const lifeCycle = createLifeCycle({
    store,
    checkQuota,
    clock,
    type: 'connector',
    idPrefix: 'con',
    fields: CONNECTOR_FIELDS,
  });
  const storedBy = (edit: SecretEdit, { organizationId }: Change, connectorId: ConnectorId): SecretChanges =>
    toStore(edit, { place: { organizationId, connectorId }, cipher, now: clock() });
  const faultOfMcpUrl = ({ mcp_url }: ConnectorSettings) =>
    mcp_url === null ? undefined : faultOfUrl(mcp_url);
  const faultOfIssuer = ({ issuer }: ConnectorSettings) => (issuer === null ? undefined : faultOfUrl(issuer));

  function factsOfChange(before: Connector, wanted: ConnectorSettings, isAcknowledged: boolean) {
    const isSameResource = wanted.resource_url === before.resource_url;
    const hasNewScopes = isSameResource && !isDeepStrictEqual(wanted.scopes, before.scopes);
    return {
      metadata: hasNewScopes ? before.metadata : null,
      // A connector whose URL was allowed at registration can still be renamed or disabled, even if the URL
      // no longer is.
      urlFault: isSameResource ? undefined : faultOfUrl(wanted.resource_url),
      mcpUrlFault: faultOfMcpUrl(wanted),
      issuerFault: wanted.issuer === before.issuer ? undefined : faultOfIssuer(wanted),
      needsNewAcknowledgement: !isSameServer(wanted, before) && !isAcknowledged,
    };
  }

  return {
    list: lifeCycle.list,
    find: lifeCycle.find,
    restore: restoreChecked(lifeCycle, checkAudience),
    purge: lifeCycle.purge,
    remove: (change: Change, id: ConnectorId, check: VersionCheck) => lifeCycle.remove(change, id, check),
    /** Locks the connector for a change of its parts. */
    lock: async (change: Change, id: ConnectorId) => (await lifeCycle.lock(change, id)).value,
    async create(change: Change, { secret, fallback_secret, ...given }: CreateConnector) {
      const wanted = normalized(given, { ...given, slug: given.slug ?? slugFrom(given.name) }, given);
      const edit = firstSecrets({ own: secret, fallback: fallback_secret });
      checkSettings(wanted, {
        ...factsOf(edit, wanted, clock()),
        metadata: null,
        urlFault: faultOfUrl(wanted.resource_url),
        mcpUrlFault: faultOfMcpUrl(wanted),
        issuerFault: faultOfIssuer(wanted),
        needsNewAcknowledgement: false,
      });
      return lifeCycle.create(
        change,
        async (id) => {
          await checkAudience(change, wanted, id);
          const settings = given.slug === undefined ? await withFreeSlug(store, change, wanted) : wanted;
          return store.create(change, id, settings, storedBy(edit, change, id));
        },
        auditedChanges(edit),
      );
    },
    async update(
      change: Change,
      id: ConnectorId,
      check: VersionCheck,
      patch: (current: Connector) => UpdateConnector,
    ) {
      const { value: before, version } = await lifeCycle.lock(change, id, check);
      const { secret, fallback_secret, ...fields } = patch(before);
      const current = settingsOf(before);
      const isMoved = fields.resource_url !== undefined && fields.resource_url !== current.resource_url;
      // The endpoint belongs to the previous tool server.
      const from = isMoved ? { ...current, mcp_url: null } : current;
      const wanted = normalized(current, withDefined(from, fields), fields);
      const edit = editOf(before, wanted, { own: secret, fallback: fallback_secret });
      checkSettings(wanted, {
        ...factsOf(edit, wanted, clock()),
        ...factsOfChange(before, wanted, fields.acknowledge_legacy === true),
      });
      const sendsNone = secret === undefined && fallback_secret === undefined;
      if (sendsNone && isDeepStrictEqual(wanted, current)) return { value: before, version };
      if (!isSameExchange(wanted, current)) await checkAudience(change, wanted, id);
      const after = await store.update(change, id, wanted, storedBy(edit, change, id));
      await lifeCycle.recordUpdate(change, before, after.value, auditedChanges(edit));
      return after;
    },
    ...createConnectorSecrets({ lifeCycle, store, seal: storedBy, clock }),
    approveFallback: createApproveFallback({ lifeCycle, store, clock }),
  };
}

/**
 * Lets the hub use the fallback, even though ID-JAGs have worked at the tool server.
 * @throws {Problem} from the returned function: 409 `fallback_not_used` for a connector without a fallback
 */
const createApproveFallback =
  (deps: { lifeCycle: LifeCycle<Connector, ListConnectors>; store: ConnectorStore; clock: () => Date }) =>
  async (change: Change, id: ConnectorId, check: VersionCheck) => {
    const { lifeCycle, store, clock } = deps;
    const { value: connector } = await lifeCycle.lock(change, id, check);
    if (connector.fallback.length === 0) {
      throw problem('fallback_not_used', {
        detail: 'The connector has no fallback to approve.',
      });
    }
    const approved = await store.approveFallback(change, id, clock());
    const changes = changesBetween(connector, approved.value, ['fallback_approved_at']);
    await lifeCycle.record(change, 'connector.fallback_approved', connector, changes);
    return approved;
  };

/**
 * Returns a free slug. Nobody else can register a connector in the meantime (`CheckQuota`). If somebody renames one, the
 * result is 409.
 */
async function withFreeSlug(
  store: Pick<ConnectorStore, 'slugs'>,
  change: Change,
  settings: ConnectorSettings,
): Promise<ConnectorSettings> {
  const taken = await store.slugs(change);
  return { ...settings, slug: slugFrom(settings.name, (slug) => taken.has(slug)) };
}

const restoreChecked =
  (
    lifeCycle: LifeCycle<Connector, ListConnectors>,
    checkAudience: ReturnType<typeof createExchangeAudienceCheck>,
  ) =>
  async (change: Change, id: ConnectorId) => {
    const restored = await lifeCycle.restore(change, id);
    await checkAudience(change, restored.value, id);
    return restored;
  };

/** Returns true if tokens of the same audience go to the same server: then nothing has to be checked again. */
const isSameExchange = (one: ConnectorSettings, other: ConnectorSettings): boolean =>
  (['resource_url', 'exchange_audience', 'token_audience'] as const).every(
    (field) => one[field] === other[field],
  );

const editOf = (before: Connector, wanted: ConnectorSettings, sent: SecretEdit['sent']): SecretEdit => ({
  before: secretsOf(before),
  sent,
  mayStay: {
    own: secretOutlives(settingsOf(before), wanted),
    fallback: fallbackSecretOutlives(settingsOf(before), wanted),
  },
});

/**
 * Resets the fields that belong to the previous method. Enabling a legacy method again needs a new
 * acknowledgement.
 * @param before the connector; for a new one, the request
 * @param sent the request, whose members are kept, and checked by the rules
 */
function normalized(
  before: Pick<ConnectorSettings, 'auth_method'>,
  settings: ConnectorSettings,
  sent: UpdateConnector,
): ConnectorSettings {
  return {
    ...settings,
    ...(!methodsUsed(settings).some(isLegacy) && { acknowledge_legacy: false }),
    ...(!methodsUsed(settings).some(isExchange) && {
      exchange_audience: sent.exchange_audience ?? null,
      token_audience: sent.token_audience ?? null,
      acknowledge_shared_audience: false,
    }),
    ...Object.fromEntries(clientFieldsEnded(before, settings).map((field) => [field, sent[field] ?? null])),
  };
}
