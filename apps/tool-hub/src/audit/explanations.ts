import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { createLatest } from '../domain/latest.ts';
import { AuditEvent } from './call-event.ts';
import type { ExplanationIndex } from './explanation-index.ts';

/**
 * Stores the decisions of recent calls, so that callers can ask why: refusals encrypted and for all processes, granted
 * calls only in their process. Best effort: a failed write is logged, and the explanation is missing.
 */
export type Explanations = ReturnType<typeof createExplanations>;

/** Granted calls, which are nearly all. Encrypting and storing each would cost as much as half the call. */
const MAX_GRANTED = 10_000;
/** Limit for a flood of refusals, which must not create a store entry each */
const MAX_COUNTED = 1000;

/** Overhead of an encrypted entry, with its key and its place in the index */
const OVERHEAD_BYTES = 200;

const nameOf = (callId: string): string => `call:${callId}`;

/**
 * @param deps.ttlSeconds of what was not granted
 * @param deps.index says which of an organization's must make way for a new one
 */
export function createExplanations(deps: {
  store: SecureStore;
  ttlSeconds: number;
  index: ExplanationIndex;
  log: Logger;
}) {
  const { store, ttlSeconds, index, log } = deps;
  const granted = createLatest<string>(MAX_GRANTED);
  const counted = createLatest<string>(MAX_COUNTED);
  let isFailing = false;

  async function write({ id, organization_id: organizationId }: AuditEvent, json: string): Promise<void> {
    try {
      // First: what is in no index would be bounded by nothing but time.
      const gone = await index.add(organizationId, id, Buffer.byteLength(json) + OVERHEAD_BYTES);
      await Promise.all([
        store.set(nameOf(id), json, ttlSeconds),
        ...gone.map((callId) => store.delete(nameOf(callId))),
      ]);
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'explanations of calls cannot be stored');
      isFailing = true; // said once
    }
  }

  /** @returns undefined also if it was encrypted with a missing key */
  const read = (name: string): Promise<string | undefined> =>
    store.get(name).catch((err: unknown) => {
      if (err instanceof UnreadableEntry) return undefined;
      throw err;
    });

  return {
    /**
     * Keeps the explanation of a call, without waiting or throwing.
     * @param isCounted it is part of a flood without its own audit event: kept only in this process
     */
    keep(event: AuditEvent, json: string, isCounted: boolean = false): void {
      if (isCounted) counted.set(event.id, json);
      else if (event.details.outcome === 'granted') granted.set(event.id, json);
      else void write(event, json);
    },
    /**
     * @returns undefined if there is none, or no longer one
     * @throws {Error} when the store cannot be reached
     */
    async find(callId: string): Promise<AuditEvent | undefined> {
      const text = granted.get(callId) ?? counted.get(callId) ?? (await read(nameOf(callId)));
      if (text === undefined) return undefined;
      const parsed = AuditEvent.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    },
  };
}
