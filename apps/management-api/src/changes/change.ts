import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationId } from '@legate/ids';
import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { Problem } from '@legate/service';
import type { NewAuditEvent } from '../domain/audit-event.ts';
import type { Author } from '../domain/author.ts';
import type { AuditEventId } from '../domain/ids.ts';
import { problem } from '../domain/problem-codes.ts';
import { insertAuditEvent } from './audit-log.ts';

/** A transaction in which something is changed. */
export interface Change {
  readonly organizationId: OrganizationId;
  readonly connection: TenantConnection;
  /** Records the change, and returns the event's id; every change must call it before its transaction ends. */
  record(event: NewAuditEvent): Promise<AuditEventId>;
}

/**
 * Thrown by `work` that must wait for another change. The change then waits without a connection, and runs
 * `work` again from its start.
 */
export class NotItsTurn extends Error {
  override readonly name = 'NotItsTurn';
}

/** How long a change may wait for its turn, and the longest pause between two attempts */
const TURN_MS = 2000;
const MAX_PAUSE_MS = 30;

/**
 * Runs `work` in one transaction, with its audit events; nothing is saved if it throws.
 * @throws {DatabaseUnavailable}
 * @throws {Problem} 503 if other changes hold the lock for too long
 */
export type MakeChange = <Result>(
  author: Author,
  work: (change: Change) => Promise<Result>,
) => Promise<Result>;

/**
 * Called for every event within the transaction of its change.
 * @returns work to do after the change is saved, which never fails
 */
export type FollowUp = (
  connection: TenantConnection,
  organizationId: OrganizationId,
  event: NewAuditEvent,
  eventId: AuditEventId,
) => Promise<Work | undefined>;
/** @returns whether the tool hub has confirmed the change */
type Work = () => Promise<boolean>;

/** How long the answer to a change waits for what follows from it. The work then goes on without it. */
const FOLLOW_UP_MS = 1000;

/** @param wait resolves after the given number of milliseconds, or when the signal aborts */
export function createMakeChange(
  tenants: TenantDatabase,
  followUp?: FollowUp,
  wait: (ms: number, signal: AbortSignal) => Promise<unknown> = waitFor,
): MakeChange {
  async function attempt<Result>(
    author: Author,
    work: (change: Change) => Promise<Result>,
  ): Promise<{ result: Result; left: readonly Work[] }> {
    const { organizationId } = author;
    const left: Work[] = [];
    const result = await tenants.withTenant(organizationId, (connection) =>
      work({
        organizationId,
        connection,
        async record(event) {
          const eventId = await insertAuditEvent(connection, author, event);
          const then = await followUp?.(connection, organizationId, event, eventId);
          if (then) left.push(then);
          return eventId;
        },
      }),
    );
    return { result, left };
  }

  /** @returns whether the tool hub has confirmed the change in time */
  async function finish(left: readonly Work[]): Promise<boolean> {
    if (left.length === 0) return true;
    const ended = new AbortController();
    const all = Promise.all(left.map((then) => then()));
    const outcome = await Promise.race([all, wait(FOLLOW_UP_MS, ended.signal).then(() => [false])]);
    ended.abort();
    return outcome.every((isConfirmed) => isConfirmed);
  }

  return async (author, work) => {
    const deadline = performance.now() + TURN_MS;
    for (;;) {
      try {
        const { result, left } = await attempt(author, work);
        if (!(await finish(left))) author.onUnconfirmed?.();
        return result;
      } catch (err) {
        if (!(err instanceof NotItsTurn)) throw err;
        if (performance.now() >= deadline) throw tooLate(err);
        await delay(Math.random() * MAX_PAUSE_MS);
      }
    }
  };
}

const waitFor = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

const tooLate = (cause: unknown): Problem =>
  problem('service_unavailable', {
    detail: 'Another change in your organization is taking too long.',
    headers: { 'Retry-After': '5' },
    cause,
  });
