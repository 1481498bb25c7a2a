import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { AuditEvent } from './audit-event.ts';

/**
 * What was decided of recent calls, encrypted, so that whoever called can ask why. It is a help: what cannot be written is
 * logged, and then not there.
 */
export interface Explanations {
  /** Neither waits nor throws. */
  keep(event: AuditEvent, json: string): void;
  /**
   * @returns undefined where there is none, or none any more
   * @throws {Error} when the store cannot be reached
   */
  find(callId: string): Promise<AuditEvent | undefined>;
}

/** What was granted is rarely asked about, and is most of all. */
const MAX_GRANTED_TTL_SECONDS = 600;

const nameOf = (callId: string): string => `call:${callId}`;

/**
 * @param deps.ttlSeconds of what was not granted; what was, for ten minutes at most
 * @param deps.maxEntries the newest so many are kept, in a store that is this process's memory
 */
export function createExplanations(deps: {
  store: SecureStore;
  ttlSeconds: number;
  maxEntries: number | undefined;
  log: Logger;
}): Explanations {
  const { store, ttlSeconds, maxEntries, log } = deps;
  const kept: string[] = [];
  let isFailing = false;

  async function write(name: string, json: string, ttl: number): Promise<void> {
    try {
      await store.set(name, json, ttl);
      isFailing = false;
      if (maxEntries === undefined) return;
      kept.push(name);
      const oldest = kept.length > maxEntries ? kept.shift() : undefined;
      if (oldest !== undefined) await store.delete(oldest);
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'explanations of calls cannot be kept');
      isFailing = true; // said once
    }
  }

  return {
    keep(event, json) {
      const isGranted = event.details.outcome === 'granted';
      const ttl = isGranted ? Math.min(ttlSeconds, MAX_GRANTED_TTL_SECONDS) : ttlSeconds;
      void write(nameOf(event.id), json, ttl);
    },
    async find(callId) {
      const text = await store.get(nameOf(callId)).catch((err: unknown) => {
        if (err instanceof UnreadableEntry) return undefined; // of a key that is gone
        throw err;
      });
      if (text === undefined) return undefined;
      const parsed = AuditEvent.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    },
  };
}
