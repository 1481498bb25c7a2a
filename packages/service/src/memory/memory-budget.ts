import type { Memory } from '@legate/bounded-body/node';
import { Counter, Gauge, type Registry } from 'prom-client';

/** The share that had no room left. `anonymous` is the share of unauthenticated callers. */
export type MemoryShare = 'process' | 'organization' | 'user' | 'anonymous';

export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/** The bytes that one request keeps. */
export interface MemoryHold extends Memory {
  /** The most bytes that it could ever take, if its owner kept nothing else. */
  readonly maxBytes: number;
  /** Releases all but `bytes`. */
  keepOnly(bytes: number): void;
  /** Returns true if the process has room for short-lived bytes; counts nothing. */
  hasRoomFor(bytes: number): boolean;
  /** Releases everything. A closed hold takes nothing more. */
  close(): void;
}

const ANONYMOUS_PERCENT = 5;
/** The last part of the budget is for organizations that use little: the large ones together must not refuse the others. */
const RESERVE_PERCENT = 10;
const LITTLE_PERCENT = 2;

/**
 * A limit on the bytes that requests keep in memory: bodies, responses of peers and unread output. Bytes are counted
 * before they are kept. A caller can use only their own share, not the memory of others.
 * @param options.limitBytes for the whole process
 * @param options.organizationPercent of the limit that one organization can use, with all of its users
 * @param options.userPercent of the limit that one user of an organization can use
 */
export function createMemoryBudget(options: {
  limitBytes: number;
  organizationPercent: number;
  userPercent: number;
  metrics: Registry;
}) {
  const { limitBytes, organizationPercent, userPercent, metrics } = options;
  const partOf = (percent: number): number => Math.floor((limitBytes * percent) / 100);
  const littleBytes = partOf(LITTLE_PERCENT);
  const total = new Share('process', limitBytes, { reserveBytes: partOf(RESERVE_PERCENT), littleBytes });
  const anonymous = new Share('anonymous', partOf(ANONYMOUS_PERCENT), { parent: total, littleBytes });
  const organizations = new Map<string, { share: Share; users: Map<string, Share> }>();
  const [organizationBytes, userBytes] = [partOf(organizationPercent), partOf(userPercent)];

  new Gauge({
    name: 'memory_budget_limit_bytes',
    help: 'Limit of the bytes that requests may hold in memory: MEMORY_BUDGET_MB',
    registers: [metrics],
  }).set(limitBytes);
  new Gauge({
    name: 'memory_budget_used_bytes',
    help: 'Bytes that requests hold in memory: bodies, responses and output that is not sent yet',
    registers: [metrics],
    collect() {
      this.set(total.used);
    },
  });
  const refusals = new Counter({
    name: 'memory_budget_refusals_total',
    help: 'Requests that were refused for lack of memory, by the share that was used up',
    labelNames: ['share'],
    registers: [metrics],
  });
  for (const share of ['process', 'organization', 'user', 'anonymous']) refusals.inc({ share }, 0);
  const onRefused = (share: MemoryShare): void => refusals.inc({ share });

  return {
    /** Opens a hold that counts for a user and their organization. The caller closes it. */
    open({ organizationId, userId }: { organizationId: string; userId: string }): MemoryHold {
      let organization = organizations.get(organizationId);
      if (!organization) {
        organization = {
          share: new Share('organization', organizationBytes, { parent: total, littleBytes }),
          users: new Map(),
        };
        organizations.set(organizationId, organization);
      }
      const { share, users } = organization;
      let user = users.get(userId);
      if (!user) {
        user = new Share('user', userBytes, { parent: share, littleBytes });
        users.set(userId, user);
      }
      user.holds += 1;
      const own = user;
      return new Hold(own, onRefused, () => {
        own.holds -= 1;
        if (own.holds > 0) return;
        users.delete(userId);
        if (users.size === 0) organizations.delete(organizationId);
      });
    },
    /** Opens a hold for an unauthenticated caller. All of them share 5 % of the budget. */
    openAnonymous: (): MemoryHold => new Hold(anonymous, onRefused),
    /** Opens a hold for the service's own reads, limited only by the whole budget. */
    openOwn: (): MemoryHold => new Hold(total, onRefused),
  };
}

/** A part of the budget, and of each share around it. */
class Share {
  used = 0;
  /** Number of open holds */
  holds = 0;

  constructor(
    readonly name: MemoryShare,
    readonly limit: number,
    private readonly options: {
      parent?: Share;
      /** Reserved for members of this share that use little */
      reserveBytes?: number;
      littleBytes: number;
    },
  ) {}

  /**
   * Returns the innermost share without room, or undefined if all have room.
   * @param mayUseReserve true if the requester uses little of this share
   */
  findFull(bytes: number, mayUseReserve: boolean): Share | undefined {
    const { parent, reserveBytes = 0, littleBytes } = this.options;
    const wanted = this.used + bytes;
    if (wanted > this.limit - (mayUseReserve ? 0 : reserveBytes)) return this;
    return parent?.findFull(bytes, wanted <= littleBytes);
  }

  add(bytes: number): void {
    this.used += bytes;
    this.options.parent?.add(bytes);
  }

  get outermost(): Share {
    return this.options.parent?.outermost ?? this;
  }
}

class Hold implements MemoryHold {
  #bytes = 0;
  #isClosed = false;

  constructor(
    private readonly share: Share,
    private readonly onRefused: (share: MemoryShare) => void,
    private readonly onClose?: () => void,
  ) {}

  get maxBytes(): number {
    return this.share.limit;
  }

  take(bytes: number): boolean {
    if (this.#isClosed) return false;
    const full = this.share.findFull(bytes, true);
    if (full) {
      this.onRefused(full.name);
      return false;
    }
    this.share.add(bytes);
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    const own = Math.min(bytes, this.#bytes);
    if (own === 0) return;
    this.#bytes -= own;
    this.share.add(-own);
  }

  keepOnly(bytes: number): void {
    this.give(this.#bytes - bytes);
  }

  hasRoomFor(bytes: number): boolean {
    const { outermost } = this.share;
    if (outermost.used + bytes <= outermost.limit) return true;
    this.onRefused(outermost.name);
    return false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.give(this.#bytes);
    this.#isClosed = true;
    this.onClose?.();
  }
}
