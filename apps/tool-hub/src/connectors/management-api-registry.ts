import type { OrganizationId } from '@legate/ids';
import type { Logger } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import { NO_CONNECTORS, type OrganizationConnectors } from '../domain/connector-set.ts';
import { createLatest } from '../domain/latest.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { connectorsUnavailable, organizationSuspended } from '../refusals/connector-problems.ts';
import type { FetchOrganization } from './management-api-client.ts';

const FRESH_MS = 30_000;
const UNKNOWN_FRESH_MS = 5_000;
/** Milliseconds for which the last known connectors are used while management-api is down. */
const STALE_MS = 600_000;
const RETRY_MS = 5_000;
/** A number that is never that of a recheck round */
const OUTDATED = -1;
/** Maximum number of organizations in memory, each with its connectors and their secrets */
const MAX_ORGANIZATIONS = 5_000;

interface Known {
  /** Undefined: the organization is suspended */
  readonly connectors: OrganizationConnectors | undefined;
  /** A resolved promise of the connectors, which nearly every request shares instead of creating its own. */
  readonly answer: Promise<OrganizationConnectors> | undefined;
  readonly etag: string | undefined;
  readonly isUnknown: boolean;
  /** Time and recheck round of management-api's last confirmation */
  readonly confirmedAtMs: number;
  readonly round: number;
  /** Time at which revalidation failed. */
  readonly failedAtMs?: number;
}

export type RegistryEvent = 'found' | 'not_modified' | 'unknown' | 'failed' | 'stale';

export interface ManagementApiRegistry extends ConnectorRegistry {
  /** Marks all cached data as outdated: it is requested again, and used if that fails. */
  recheck(): void;
}

/**
 * Gets the connectors of each organization from management-api: cached for 30 seconds, then revalidated with their
 * ETag. While management-api is down, the last known ones are used for up to 10 minutes. Their secrets are stored only
 * in this cache.
 * @param deps.onEvent for metrics; `stale`: an organization is served from outdated data
 */
export function createManagementApiRegistry(deps: {
  fetchOrganization: FetchOrganization;
  clock: () => Date;
  log: Logger;
  onEvent: (event: RegistryEvent) => void;
}): ManagementApiRegistry {
  const { fetchOrganization, clock, log, onEvent } = deps;
  const known = createLatest<Known>(MAX_ORGANIZATIONS);
  const flights = createSingleFlight<Known>();
  let currentRound = 0;
  let isAway = false;
  const now = () => clock().getTime();

  function isFresh({ confirmedAtMs, isUnknown, round }: Known): boolean {
    const maxAgeMs = isUnknown ? UNKNOWN_FRESH_MS : FRESH_MS;
    return round === currentRound && now() - confirmedAtMs < maxAgeMs;
  }

  const isUsable = ({ confirmedAtMs, isUnknown }: Known): boolean =>
    !isUnknown && now() - confirmedAtMs < STALE_MS;

  async function ask(organizationId: OrganizationId, before: Known | undefined): Promise<Known> {
    // The time is taken before the request is sent, because the response may describe the state at that time.
    const asked = { confirmedAtMs: now(), round: currentRound };
    const answer = await fetchOrganization(organizationId, before?.etag);
    onEvent(answer.kind);
    if (answer.kind === 'unknown')
      return { ...answering(NO_CONNECTORS), etag: undefined, isUnknown: true, ...asked };
    if (answer.kind === 'found') {
      const { connectors, etag } = answer;
      return { ...answering(connectors), etag, isUnknown: false, ...asked };
    }
    if (!before) throw new Error('management-api reported no change, but nothing is cached');
    const { connectors, answer: same, etag, isUnknown } = before;
    return { connectors, answer: same, etag, isUnknown, ...asked };
  }

  /**
   * Sends one request at a time for each organization. A response is not cached if the data were invalidated meanwhile.
   */
  function refresh(organizationId: OrganizationId): Promise<Known> {
    return flights.run(organizationId, organizationId, async (isForgotten) => {
      const before = known.get(organizationId);
      try {
        const fresh = await ask(organizationId, before);
        if (!isForgotten()) known.set(organizationId, fresh);
        if (isAway) log.info('management-api responds again');
        isAway = false;
        return fresh;
      } catch (err) {
        onEvent('failed');
        if (!isAway) log.warn({ err }, 'connectors cannot be fetched from management-api');
        isAway = true; // logged once, and counted each time
        if (before && !isForgotten()) known.set(organizationId, { ...before, failedAtMs: now() });
        throw err;
      }
    });
  }

  async function find(organizationId: OrganizationId): Promise<Known> {
    const last = known.get(organizationId);
    if (last && isFresh(last)) return last;
    // While management-api is down, one caller in five seconds sends a request, and no caller waits for it.
    if (last?.failedAtMs !== undefined && isUsable(last)) {
      if (now() - last.failedAtMs >= RETRY_MS) refresh(organizationId).catch(() => undefined);
      onEvent('stale');
      return last;
    }
    try {
      return await refresh(organizationId);
    } catch (cause) {
      const lastKnown = known.get(organizationId); // undefined if it was invalidated meanwhile
      if (lastKnown && isUsable(lastKnown)) {
        onEvent('stale');
        return lastKnown;
      }
      throw connectorsUnavailable(cause);
    }
  }

  async function findOrRefuse(organizationId: OrganizationId) {
    const { connectors } = await find(organizationId);
    if (connectors) return connectors;
    throw organizationSuspended();
  }

  return {
    of(organizationId) {
      const last = known.get(organizationId);
      return last?.answer !== undefined && isFresh(last) ? last.answer : findOrRefuse(organizationId);
    },
    forget(organizationId) {
      known.delete(organizationId);
      flights.forget(organizationId);
    },
    recheckOne(organizationId) {
      flights.forget(organizationId); // a response that is still expected may be older than the change
      const last = known.get(organizationId);
      if (last) known.set(organizationId, { ...last, round: OUTDATED });
    },
    recheck() {
      currentRound += 1;
    },
  };
}

const answering = (connectors: OrganizationConnectors | undefined) => ({
  connectors,
  answer: connectors && Promise.resolve(connectors),
});
