import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { createLatest } from '../domain/latest.ts';
import { AuditEvent } from './call-event.ts';
import type { ExplanationIndex } from './explanation-index.ts';

/**
 * Stores the decisions of recent calls, so that callers can ask for the reason. Refusals are encrypted and available to
 * all processes; granted calls only to the process that handled them. Best effort: a failed write is logged, and the
 * explanation is missing.
 */
export type Explanations = ReturnType<typeof createExplanations>;

/**
 * Maximum number of granted calls, which are nearly all calls. Encrypting and storing each of them would take half as
 * much time as the call itself.
 */
const MAX_GRANTED = 10_000;
/**
 * Maximum number of explanations in memory during a flood of refusals, so that each does not create an entry in the
 * store
 */
const MAX_COUNTED = 1000;

/** Overhead of an encrypted entry, with its key and its place in the index */
const OVERHEAD_BYTES = 200;

const nameOf = (callId: string): string => `call:${callId}`;

/**
 * @param deps.ttlSeconds lifetime of the explanation of a call that was not granted
 * @param deps.index returns which explanations of an organization a new one displaces
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
      // Indexed first: an explanation outside the index would be limited only by its lifetime.
      const gone = await index.add(organizationId, id, Buffer.byteLength(json) + OVERHEAD_BYTES);
      await Promise.all([
        store.set(nameOf(id), json, ttlSeconds),
        ...gone.map((callId) => store.delete(nameOf(callId))),
      ]);
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'explanations of calls cannot be stored');
      isFailing = true; // logged only once
    }
  }

  /** @returns undefined if there is none, or its encryption key is missing */
  const read = (name: string): Promise<string | undefined> =>
    store.get(name).catch((err: unknown) => {
      if (err instanceof UnreadableEntry) return undefined;
      throw err;
    });

  return {
    /**
     * Stores the explanation of a call, without waiting or throwing.
     * @param isCounted true for a refusal without its own audit event: kept only in this process
     */
    keep(event: AuditEvent, json: string, isCounted: boolean = false): void {
      if (isCounted) counted.set(event.id, json);
      else if (event.details.outcome === 'granted') granted.set(event.id, json);
      else void write(event, json);
    },
    /**
     * @returns undefined if there is no explanation, or it has expired
     * @throws {Error} if the store cannot be reached
     */
    async find(callId: string): Promise<AuditEvent | undefined> {
      const text = granted.get(callId) ?? counted.get(callId) ?? (await read(nameOf(callId)));
      if (text === undefined) return undefined;
      const parsed = AuditEvent.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : undefined;
    },
  };
}
