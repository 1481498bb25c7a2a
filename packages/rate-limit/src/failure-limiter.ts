import { hash } from 'node:crypto';
import { clientNetworks } from './client-address.ts';
import type { RateLimiter } from './limiter.ts';

/** Failures per minute of one sender: of a client in a network, where the client is named, otherwise of a network */
const DEFAULT_FAILURES_PER_MINUTE = 120;
/** A network has as many as five of its clients: made-up names must not give more and more tries. */
const OF_NETWORK = 5;
/** A site, a /48 of IPv6, has 256 networks, and as many failures as four of them. */
const OF_SITE = 4;
/** A flood from many networks must not grow the lists without limit; the oldest are dropped first. */
const MAX_BLOCKED = 10_000;
const MAX_GOOD = 10_000;
/** Tries of all blocked senders together, per second and process: 200 signature checks take some 30 ms. */
const TRIES_PER_SECOND = 200;

export type FailureLimiter = ReturnType<typeof createFailureLimiter>;

/** A request that has to prove something, as far as it is known before the proof is checked. */
export interface Attempt {
  /** The client that it claims to come from: what fails in the name of one does not block others behind the address. */
  readonly client?: string | undefined;
  /** A secret of that client. Once it was good, it passes while its sender is blocked. */
  readonly secret?: string | undefined;
  /** Only called while the sender is blocked: true for a request that proves something that was good before */
  readonly isKnown?: (() => boolean | Promise<boolean>) | undefined;
}

/**
 * Stops a sender that keeps failing before further attempts cost another check. Successes are not counted: an office behind
 * one address is not one client. What was good before passes a block: a secret, whatever `isKnown` finds, and, where a whole
 * network or site is blocked, a client that has succeeded from that network. Failures are counted in the given limiter; the
 * block is kept in each process and sets in with its next failure there.
 * @param options.keyPrefix separates failures at different entrances. Default `ip`
 * @param options.triesPerSecond requests of which nothing is known that a blocked sender may still make each second, so that
 *   others behind the same address get through for the first time. Default 0
 */
export function createFailureLimiter(options: {
  limiter: RateLimiter;
  clock: () => Date;
  failuresPerMinute?: number;
  keyPrefix?: string;
  triesPerSecond?: number;
}) {
  const { keyPrefix = 'ip', triesPerSecond = 0 } = options;
  const perMinute = options.failuresPerMinute ?? DEFAULT_FAILURES_PER_MINUTE;
  const now = () => options.clock().getTime();
  /** Sender → epoch milliseconds at which its window ends */
  const blockedUntil = new Map<string, number>();
  /** Clients in their networks, and secrets, that were good; as digests */
  const good = new Set<string>();
  /** Tries in the running second, by sender and in all */
  let tries = { second: 0, of: new Map<string, number>(), total: 0 };

  function takeTry(sender: string): boolean {
    const second = Math.floor(now() / 1000);
    if (tries.second !== second) tries = { second, of: new Map(), total: 0 };
    const taken = tries.of.get(sender) ?? 0;
    if (taken >= triesPerSecond || tries.total >= TRIES_PER_SECOND) return false;
    tries.of.set(sender, taken + 1);
    tries.total += 1;
    return true;
  }

  /** The senders that an attempt counts for, the narrowest first, with their failures per minute */
  function sendersOf(address: string | undefined, { client }: Attempt): [sender: string, limit: number][] {
    const { network, site } = clientNetworks(address);
    const ofNetwork = client === undefined ? perMinute : perMinute * OF_NETWORK;
    return [
      ...(client === undefined ? [] : [[digest(network, client), perMinute] as [string, number]]),
      [network, ofNetwork],
      ...(site === network ? [] : [[site, ofNetwork * OF_SITE] as [string, number]]),
    ];
  }

  function remainingMs(sender: string): number {
    const remaining = (blockedUntil.get(sender) ?? 0) - now();
    if (remaining <= 0) blockedUntil.delete(sender);
    return remaining;
  }

  function makeRoom(
    set: { readonly size: number; keys(): Iterable<string>; delete(key: string): boolean },
    max: number,
  ) {
    for (const oldest of set.keys()) {
      if (set.size < max) break;
      set.delete(oldest);
    }
  }

  const secretOf = ({ client = '', secret }: Attempt) => secret && digest('secret', client, secret);

  return {
    /**
     * Call once per request: refusals are counted. Works in memory, so it costs good requests nothing.
     * @returns seconds until this sender may try again, or 0
     */
    async blockedSeconds(address: string | undefined, attempt: Attempt = {}): Promise<number> {
      if (blockedUntil.size === 0) return 0;
      const senders = sendersOf(address, attempt).map(([sender]) => sender);
      const [narrowest = ''] = senders;
      const isGoodClient = attempt.client !== undefined && good.has(narrowest);
      const longestMs = Math.max(...(isGoodClient ? [narrowest] : senders).map(remainingMs));
      if (longestMs <= 0) return 0;
      const secret = secretOf(attempt);
      if (secret !== undefined && good.has(secret)) return 0;
      if ((await attempt.isKnown?.()) || takeTry(narrowest)) return 0;
      options.limiter.refusedUnasked?.();
      return Math.ceil(longestMs / 1000);
    },
    /** Counts a failure. */
    async recordFailure(address: string | undefined, attempt: Attempt = {}): Promise<void> {
      const senders = sendersOf(address, attempt);
      await Promise.all(
        senders.map(async ([sender, limit]) => {
          const usage = await options.limiter.consume(`${keyPrefix}:${sender}`, limit);
          if (usage.remaining > 0) return;
          makeRoom(blockedUntil, MAX_BLOCKED);
          blockedUntil.set(sender, now() + usage.resetAfterSeconds * 1000);
        }),
      );
    },
    /** Remembers what was good. */
    recordSuccess(address: string | undefined, attempt: Attempt): void {
      if (attempt.client === undefined) return;
      const secret = secretOf(attempt);
      const sender = digest(clientNetworks(address).network, attempt.client);
      for (const name of secret === undefined ? [sender] : [sender, secret]) {
        good.delete(name); // the latest last
        makeRoom(good, MAX_GOOD);
        good.add(name);
      }
    },
  };
}

/** Short names of what strangers may write at any length, and of what must not stay in memory as it is. */
const digest = (...texts: string[]): string => hash('sha256', JSON.stringify(texts), 'base64url');
