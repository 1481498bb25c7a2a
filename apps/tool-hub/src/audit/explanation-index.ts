import type { OrganizationId } from '@legate/ids';
import type { RedisClient } from '@legate/secure-store';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** Limits for an organization's explanations, as a number and in bytes; the newest are kept. */
export interface ExplanationBound {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export const EXPLANATION_BOUND: ExplanationBound = { maxEntries: 10_000, maxBytes: 8_388_608 };

/** The explanations that an organization has, oldest first. */
export interface ExplanationIndex {
  /** @returns ids of calls whose explanations must be deleted. @throws {Error} if the store cannot be reached */
  add(organizationId: OrganizationId, callId: string, bytes: number): Promise<readonly string[]>;
}

/**
 * Maximum number of organizations whose explanations this process tracks without Redis; explanations of others expire.
 */
const MAX_ORGANIZATIONS = 1000;

export function createMemoryIndex(bound: ExplanationBound): ExplanationIndex {
  const known = new LRUCache<string, { entries: { callId: string; bytes: number }[]; bytes: number }>({
    max: MAX_ORGANIZATIONS,
  });
  return {
    async add(organizationId, callId, bytes) {
      const own = known.get(organizationId) ?? { entries: [], bytes: 0 };
      known.set(organizationId, own);
      own.entries.push({ callId, bytes });
      own.bytes += bytes;
      let count = 0;
      while (own.entries.length - count > bound.maxEntries || own.bytes > bound.maxBytes) {
        const oldest = own.entries[count];
        if (!oldest) break;
        own.bytes -= oldest.bytes;
        count += 1;
      }
      return own.entries.splice(0, count).map((entry) => entry.callId);
    },
  };
}

/**
 * Adds an entry to a list of `{call id} {bytes}`, whose first element is the sum of the bytes, and removes the oldest
 * beyond the limits. KEYS[1]: list; ARGV: call id, bytes, maximum entries, maximum bytes, seconds. Returns the ids of
 * the removed entries.
 */
const ADD = `
local sum = tonumber(redis.call('LPOP', KEYS[1]) or 0) + tonumber(ARGV[2])
redis.call('RPUSH', KEYS[1], ARGV[1] .. ' ' .. ARGV[2])
local gone = {}
while redis.call('LLEN', KEYS[1]) > tonumber(ARGV[3]) or sum > tonumber(ARGV[4]) do
  local oldest = redis.call('LPOP', KEYS[1])
  if not oldest then break end
  local id, bytes = string.match(oldest, '^(%S+) (%d+)$')
  sum = sum - tonumber(bytes)
  gone[#gone + 1] = id
end
redis.call('LPUSH', KEYS[1], tostring(sum))
redis.call('EXPIRE', KEYS[1], ARGV[5])
return gone`;

const Ids = z.array(z.string());

/** @param deps.ttlSeconds lifetime of an explanation */
export function createRedisIndex(
  bound: ExplanationBound,
  deps: { redis: RedisClient; ttlSeconds: number },
): ExplanationIndex {
  return {
    async add(organizationId, callId, bytes) {
      const limits = [bound.maxEntries, bound.maxBytes, deps.ttlSeconds];
      const key = `calls-of:${organizationId}`;
      return Ids.parse(await deps.redis.eval(ADD, 1, key, callId, bytes, ...limits));
    },
  };
}
