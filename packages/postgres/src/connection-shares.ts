import { ConnectionShareExceeded } from './errors.ts';
import type { TenantDatabase } from './tenant-database.ts';

/** Maximum wait for a connection, the same as in the pool itself */
const WAIT_MS = 2000;
/** Maximum number of waiting requests of one organization; further ones are refused at once. */
const MAX_WAITING = 200;

/** Connections that one organization may use at a time */
export interface ConnectionShare {
  /** Maximum number of connections while other organizations use some, too */
  readonly max: number;
  /**
   * Maximum number of connections while no other organization uses any. Less than all, so that the next organization
   * gets one at once
   */
  readonly maxAlone: number;
}

/**
 * Limits the connections that each organization may use at a time, so that slow or blocked requests of one organization
 * leave connections for the others. A request beyond the limit waits before it takes a connection. Work that belongs to
 * no organization is not limited.
 * @param options.waitMs maximum wait of a request. Default 2000
 * @throws {ConnectionShareExceeded} from each method, after `waitMs`
 */
export function shareConnections(
  tenants: TenantDatabase,
  options: ConnectionShare & { waitMs?: number },
): TenantDatabase {
  const { max, maxAlone, waitMs = WAIT_MS } = options;
  /** The shares of organizations that currently use connections */
  const shares = new Map<string, Share>();
  const limit = () => (shares.size > 1 ? max : maxAlone);

  async function within<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
    if (organizationId === '') return work();
    let share = shares.get(organizationId);
    if (!share) {
      share = { used: 0, waiting: new Set() };
      shares.set(organizationId, share);
    }
    if (share.used < limit()) share.used += 1;
    else await turnOf(share, waitMs);
    try {
      return await work();
    } finally {
      // Another organization has come, so this one is above its limit: do not start waiting requests.
      const [next] = share.used > limit() ? [] : share.waiting;
      if (next) next();
      else share.used -= 1;
      if (share.used === 0) shares.delete(organizationId);
    }
  }

  return {
    withTenant: (organizationId, work) =>
      within(organizationId, () => tenants.withTenant(organizationId, work)),
    queryAsTenant: (organizationId, statement) =>
      within(organizationId, () => tenants.queryAsTenant(organizationId, statement)),
    ping: () => tenants.ping(),
  };
}

interface Share {
  used: number;
  /** Functions that hand a connection over to a waiting request, in order of arrival. */
  readonly waiting: Set<() => void>;
}

function turnOf({ waiting }: Share, waitMs: number): Promise<void> {
  if (waiting.size >= MAX_WAITING) return Promise.reject(new ConnectionShareExceeded());
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      waiting.delete(begin);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      reject(new ConnectionShareExceeded());
    }, waitMs);
    waiting.add(begin);
  });
}
