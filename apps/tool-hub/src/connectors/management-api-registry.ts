import type { OrganizationId } from '@legate/ids';
import { type ActiveRequest, type Logger, runInRequest } from '@legate/service';
import { createSingleFlight } from '@legate/single-flight';
import { NO_CONNECTORS, type OrganizationConnectors } from '../domain/connector-set.ts';
import { createLatest } from '../domain/latest.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { connectorsUnavailable, organizationSuspended } from '../refusals/connector-problems.ts';
import type { FetchOrganization } from './management-api-client.ts';

const FRESH_MS = 30_000;
const UNKNOWN_FRESH_MS = 5_000;
/** For how long the last known connectors are used while management-api is away. */
const STALE_MS = 600_000;
const RETRY_MS = 5_000;
/** Each with its connectors and their secrets. */
const MAX_ORGANIZATIONS = 5_000;

interface Known {
  /** Undefined: suspended */
  readonly connectors: OrganizationConnectors | undefined;
  /** The connectors again, settled: nearly every question gets this answer, and needs no promise of its own. */
  readonly answer: Promise<OrganizationConnectors> | undefined;
  readonly etag: string | undefined;
  readonly isUnknown: boolean;
  /** When management-api last said so, and in which round of rechecks */
  readonly confirmedAtMs: number;
  readonly round: number;
  /** Asking again failed at this time. */
  readonly failedAtMs?: number;
}

export type RegistryEvent = 'found' | 'not_modified' | 'unknown' | 'failed' | 'stale';

export interface ManagementApiRegistry extends ConnectorRegistry {
  /** All that is known may be out of date: it is asked for again, and used if that fails. */
  recheck(): void;
}

/**
 * The connectors of each organization as management-api has them: kept for 30 seconds, then confirmed by ETag. While it is
 * away, those last known are used for up to 10 minutes. Secrets are in this memory and nowhere else.
 * @param deps.onEvent for metrics; `stale`: an organization is served from what was known
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
    // What is answered may be as old as the question.
    const asked = { confirmedAtMs: now(), round: currentRound };
    const answer = await fetchOrganization(organizationId, before?.etag);
    onEvent(answer.kind);
    if (answer.kind === 'unknown')
      return { ...answering(NO_CONNECTORS), etag: undefined, isUnknown: true, ...asked };
    if (answer.kind === 'found') {
      const { connectors, etag } = answer;
      return { ...answering(connectors), etag, isUnknown: false, ...asked };
    }
    if (!before) throw new Error('nothing is known that could be unchanged');
    const { connectors, answer: same, etag, isUnknown } = before;
    return { connectors, answer: same, etag, isUnknown, ...asked };
  }

  /** One question at a time for each organization. What was forgotten meanwhile is not remembered. */
  function refresh(organizationId: OrganizationId, within?: ActiveRequest): Promise<Known> {
    return flights.run(organizationId, organizationId, async (isForgotten) => {
      const before = known.get(organizationId);
      try {
        const fresh = await runInRequest(within, () => ask(organizationId, before));
        if (!isForgotten()) known.set(organizationId, fresh);
        if (isAway) log.info('management-api answers again');
        isAway = false;
        return fresh;
      } catch (err) {
        onEvent('failed');
        if (!isAway) log.warn({ err }, 'connectors cannot be had from management-api');
        isAway = true; // said once, and counted each time
        if (before && !isForgotten()) known.set(organizationId, { ...before, failedAtMs: now() });
        throw err;
      }
    });
  }

  async function find(organizationId: OrganizationId, within?: ActiveRequest): Promise<Known> {
    const last = known.get(organizationId);
    if (last && isFresh(last)) return last;
    // While management-api is away, one caller in five seconds asks, and nobody waits for it.
    if (last?.failedAtMs !== undefined && isUsable(last)) {
      if (now() - last.failedAtMs >= RETRY_MS) refresh(organizationId, within).catch(() => undefined);
      onEvent('stale');
      return last;
    }
    try {
      return await refresh(organizationId, within);
    } catch (cause) {
      const lastKnown = known.get(organizationId); // gone if it was forgotten while we asked
      if (lastKnown && isUsable(lastKnown)) {
        onEvent('stale');
        return lastKnown;
      }
      throw connectorsUnavailable(cause);
    }
  }

  async function findOrRefuse(organizationId: OrganizationId, within?: ActiveRequest) {
    const { connectors } = await find(organizationId, within);
    if (connectors) return connectors;
    throw organizationSuspended();
  }

  return {
    of(organizationId, within) {
      const last = known.get(organizationId);
      return last?.answer !== undefined && isFresh(last) ? last.answer : findOrRefuse(organizationId, within);
    },
    forget(organizationId) {
      known.delete(organizationId);
      flights.forget(organizationId);
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
