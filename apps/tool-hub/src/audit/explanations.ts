import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { LRUCache } from 'lru-cache';
import { AuditEvent } from './audit-event.ts';

/**
 * What was decided of recent calls, so that whoever called can ask why: encrypted and for all processes what was not
 * granted, in the process that made the call what was. It is a help: what cannot be written is logged, and then not there.
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

/** Calls that were granted: nearly all are, and to seal and send each would cost as much as half the call. */
const MAX_GRANTED = 10_000;

const nameOf = (callId: string): string => `call:${callId}`;

/**
 * @param deps.ttlSeconds of what was not granted
 * @param deps.maxEntries the newest so many are kept, in a store that is this process's memory
 */
export function createExplanations(deps: {
  store: SecureStore;
  ttlSeconds: number;
  maxEntries: number | undefined;
  log: Logger;
}): Explanations {
  const { store, ttlSeconds, maxEntries, log } = deps;
  const granted = new LRUCache<string, string>({ max: MAX_GRANTED });
  const kept: string[] = [];
  let isFailing = false;

  async function write(name: string, json: string): Promise<void> {
    try {
      await store.set(name, json, ttlSeconds);
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

  /** @returns undefined also for what was sealed with a key that is gone */
  const read = (name: string): Promise<string | undefined> =>
    store.get(name).catch((err: unknown) => {
      if (err instanceof UnreadableEntry) return undefined;
      throw err;
    });

  return {
    keep(event, json) {
      if (event.details.outcome !== 'granted') return void write(nameOf(event.id), json);
      granted.set(event.id, json);
    },
    async find(callId) {
      const text = granted.get(callId) ?? (await read(nameOf(callId)));
      if (text === undefined) return undefined;
      const parsed = AuditEvent.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    },
  };
}
