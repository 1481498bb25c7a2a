import { hash } from 'node:crypto';
import { clientNetworks } from './client-address.ts';
import type { RateLimiter } from './limiter.ts';
import { createOwnedItems } from './owned-items.ts';

/** Failures per minute of one sender: of a client in a network, where the client is named, otherwise of a network */
const DEFAULT_FAILURES_PER_MINUTE = 120;
/** A network has as many as five of its clients: made-up names must not give more and more tries. */
const OF_NETWORK = 5;
/** Senders in a network that were good before may fail as often as ten of its clients, apart from the others. */
const OF_GOOD = 10;
/** A site, a /48 of IPv6, has 256 networks, and as many failures as four of them. */
const OF_SITE = 4;
/** A flood from many networks must not grow the lists without limit. */
const MAX_BLOCKED = 10_000;
const MAX_GOOD = 10_000;
/** Requests of which nothing is known that a blocked sender may still make each second */
const DEFAULT_TRIES_PER_SECOND = 5;
/** Tries of all blocked senders together, per second and process: 200 signature checks take some 30 ms. */
const MAX_TRIES_PER_SECOND = 200;

export type FailureLimiter = ReturnType<typeof createFailureLimiter>;

/** A request that has to prove something, as far as it is known before the proof is checked. */
export interface Attempt {
  /** The client that it claims to come from: what fails in the name of one does not block others behind the address. */
  readonly client?: string | undefined;
  /** How it proves that client: what fails by one method does not block others. */
  readonly method?: string | undefined;
  /** A secret of that client. Once it was good, it is a sender of its own, which no other secret blocks. */
  readonly secret?: string | undefined;
  /** Returns true for a request that proves something that was good before; called only while the sender is blocked */
  readonly isKnown?: (() => boolean | Promise<boolean>) | undefined;
}

interface Sender {
  readonly name: string;
  /** Failures per minute */
  readonly limit: number;
}

/**
 * Stops a sender that keeps failing before further attempts cost another check. Successes are not counted: an office behind
 * one address is not one client. Failures count for the client and method in a network, for the network, and for its site.
 * Those that were good before have limits of their own, so what others do blocks none of them. Failures are counted in the
 * given limiter; the block is kept in each process and sets in with its next failure there.
 * @param options.keyPrefix separates failures at different entrances. Default `ip`
 * @param options.triesPerSecond requests of which nothing is known that a blocked sender may still make each second, so that
 *   others behind the same address get through for the first time. Default 5
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
  /** Senders that were good, by their networks: no network makes the list forget those of others. */
  const good = createOwnedItems(MAX_GOOD);
  /** Tries in the running second, by sender and in all */
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
     * Call once per request: refusals are counted. Works in memory, so it costs good requests nothing.
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

/** Senders that anybody can claim to be */
const nameOf = (network: string, { client, method = '' }: Attempt): string | undefined =>
  client === undefined ? undefined : digest(network, client, method);

/** The sender if authentication succeeds. If there is a secret, nobody else can claim to be it. */
const provenName = (network: string, attempt: Attempt): string | undefined =>
  attempt.client !== undefined && attempt.secret
    ? digest(network, attempt.client, attempt.method ?? '', attempt.secret)
    : nameOf(network, attempt);

/** Short names of what strangers may write at any length, and of what must not stay in memory as it is. */
const digest = (...texts: string[]): string => hash('sha256', JSON.stringify(texts), 'base64url');
