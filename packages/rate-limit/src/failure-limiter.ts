import { hash } from 'node:crypto';
import { clientNetworks } from './client-address.ts';
import type { RateLimiter } from './limiter.ts';
import { createOwnedItems } from './owned-items.ts';

/** Failures per minute of one sender. A sender is a client in a network, or the network if no client is named */
const DEFAULT_FAILURES_PER_MINUTE = 120;
/**
 * A network may have as many failures as five of its clients. Otherwise made-up client names would allow any number of
 * tries.
 */
const OF_NETWORK = 5;
/**
 * All senders of a network that have succeeded before may have as many failures together as ten clients. These are
 * counted separately from those of other senders.
 */
const OF_GOOD = 10;
/** A site, which is a /48 of IPv6 with 256 networks, may have as many failures as four networks. */
const OF_SITE = 4;
/** Limits the lists, so that a flood from many networks cannot exhaust the memory. */
const MAX_BLOCKED = 10_000;
const MAX_GOOD = 10_000;
/** Unknown requests that a blocked sender may still send each second */
const DEFAULT_TRIES_PER_SECOND = 5;
/**
 * Maximum number of tries of all blocked senders together, per second and process: 200 signature checks take about 30
 * ms.
 */
const MAX_TRIES_PER_SECOND = 200;

export type FailureLimiter = ReturnType<typeof createFailureLimiter>;

/** An authentication attempt, as known before it is checked. */
export interface Attempt {
  /**
   * The client that the request claims to come from. Failures in the name of one client do not block others behind the
   * address.
   */
  readonly client?: string | undefined;
  /** The authentication method. Failures with one method do not block others. */
  readonly method?: string | undefined;
  /**
   * The presented client secret. Once it has succeeded, it counts as a separate sender, which failures with other
   * secrets do not block.
   */
  readonly secret?: string | undefined;
  /**
   * Returns true for a request with a code or token that is known to be valid; called only while the sender is blocked
   */
  readonly isKnown?: (() => boolean | Promise<boolean>) | undefined;
}

interface Sender {
  readonly name: string;
  /** Failures per minute */
  readonly limit: number;
}

/**
 * Refuses a sender that keeps failing, before its next attempt is checked. Successes are not counted, because an office
 * behind one address is not one client. Failures count for the client and method in a network, for the network, and for
 * its site. Senders that have succeeded before have separate limits, so failures of others do not block them. Failures
 * are counted in the given limiter; the block is kept in each process, and begins there with the next failure.
 * @param options.keyPrefix separates the failures at different endpoints. Default `ip`
 * @param options.triesPerSecond unknown requests that a blocked sender may still send each second, so that new clients
 * behind the same address can succeed for the first time. Default 5
 */
export function createFailureLimiter(options: {
  limiter: RateLimiter;
  clock: () => Date;
  failuresPerMinute?: number;
  keyPrefix?: string;
  triesPerSecond?: number;
}) {
  const { keyPrefix = 'ip', triesPerSecond = DEFAULT_TRIES_PER_SECOND } = options;
  const perMinute = options.failuresPerMinute ?? DEFAULT_FAILURES_PER_MINUTE;
  const now = () => options.clock().getTime();
  /** Sender → epoch milliseconds at which its window ends */
  const blockedUntil = new Map<string, number>();
  /** Senders that have succeeded, by network, so that those of one network do not displace those of another. */
  const good = createOwnedItems(MAX_GOOD);
  /** Tries in the current second, by sender and in total */
  let tries = { second: 0, of: new Map<string, number>(), total: 0 };

  function takeTry(sender: string): boolean {
    const second = Math.floor(now() / 1000);
    if (tries.second !== second) tries = { second, of: new Map(), total: 0 };
    const taken = tries.of.get(sender) ?? 0;
    if (taken >= triesPerSecond || tries.total >= MAX_TRIES_PER_SECOND) return false;
    tries.of.set(sender, taken + 1);
    tries.total += 1;
    return true;
  }

  /** The senders that an attempt counts for, the narrowest first */
  function sendersOf(address: string | undefined, attempt: Attempt): Sender[] {
    const { network, site } = clientNetworks(address);
    const proven = provenName(network, attempt);
    const isGood = proven !== undefined && good.has(proven);
    const prefix = isGood ? 'good ' : '';
    const times = isGood ? OF_GOOD : OF_NETWORK;
    const ofNetwork = attempt.client === undefined ? perMinute : perMinute * times;
    const claimed = nameOf(network, attempt);
    return [
      ...(claimed === undefined ? [] : [{ name: isGood ? proven : claimed, limit: perMinute }]),
      { name: prefix + network, limit: ofNetwork },
      ...(site === network ? [] : [{ name: prefix + site, limit: ofNetwork * OF_SITE }]),
    ];
  }

  function remainingMs({ name }: Sender): number {
    const remaining = (blockedUntil.get(name) ?? 0) - now();
    if (remaining <= 0) blockedUntil.delete(name);
    return remaining;
  }

  function block(name: string, seconds: number): void {
    const [oldest] = blockedUntil.keys();
    if (blockedUntil.size >= MAX_BLOCKED && oldest !== undefined) blockedUntil.delete(oldest);
    blockedUntil.set(name, now() + seconds * 1000);
  }

  return {
    /**
     * Call once per request, because refusals are counted. Works in memory, so it costs accepted requests almost
     * nothing.
     * @returns seconds until this sender may try again, or 0
     */
    async blockedSeconds(address: string | undefined, attempt: Attempt = {}): Promise<number> {
      if (blockedUntil.size === 0) return 0;
      const senders = sendersOf(address, attempt);
      const longestMs = Math.max(...senders.map(remainingMs));
      if (longestMs <= 0) return 0;
      if ((await attempt.isKnown?.()) || takeTry(senders[0]?.name ?? '')) return 0;
      options.limiter.refusedUnasked?.();
      return Math.ceil(longestMs / 1000);
    },
    /** Counts a failure. */
    async recordFailure(address: string | undefined, attempt: Attempt = {}): Promise<void> {
      await Promise.all(
        sendersOf(address, attempt).map(async ({ name, limit }) => {
          const usage = await options.limiter.consume(`${keyPrefix}:${name}`, limit);
          if (usage.remaining === 0) block(name, usage.resetAfterSeconds);
        }),
      );
    },
    /** Remembers a sender whose client was authenticated. */
    recordSuccess(address: string | undefined, attempt: Attempt): void {
      const { network } = clientNetworks(address);
      const proven = provenName(network, attempt);
      if (proven !== undefined) good.add([network], proven);
    },
  };
}

/** Returns the name of a sender that anybody can claim to be */
const nameOf = (network: string, { client, method = '' }: Attempt): string | undefined =>
  client === undefined ? undefined : digest(network, client, method);

/**
 * Returns the name of the sender if authentication succeeds. With a secret, nobody else can claim to be this sender.
 */
const provenName = (network: string, attempt: Attempt): string | undefined =>
  attempt.client !== undefined && attempt.secret
    ? digest(network, attempt.client, attempt.method ?? '', attempt.secret)
    : nameOf(network, attempt);

/**
 * Returns a short name for texts of any length from strangers, and for secrets, which must not stay in memory in plain
 * text.
 */
const digest = (...texts: string[]): string => hash('sha256', JSON.stringify(texts), 'base64url');
