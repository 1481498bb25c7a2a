import type { OrganizationId, UserId } from '@legate/ids';
import { toEventText } from '@legate/management-contract';
import { newCallId } from '../domain/call-id.ts';
import type { AnyEvent } from './refusal-digest.ts';

/** Actions of a user at the hub besides calls; the names are part of the API. */
export type UserAction =
  | 'session.opened'
  | 'session.ended'
  /** `DELETE /tokens` */
  | 'session.signed_out'
  | 'consent.granted'
  | 'consent.denied'
  | 'consent.withdrawn'
  /** The connector doctor has made a delegation as this user. */
  | 'delegation.examined';

export interface UserDeed {
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly connector?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** The hub's own id of the request, where there is one */
  readonly requestId?: string | undefined;
  /** Identifiers, codes, numbers and hashes: no token, and nothing that was said */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Returns the event of something that a user has done, as management-api takes it. */
export function userEvent(action: UserAction, deed: UserDeed, atMs: number) {
  const { connector } = deed;
  return {
    id: newCallId(atMs),
    organization_id: deed.organizationId,
    action,
    occurred_at: new Date(atMs).toISOString(),
    actor: { type: 'user', id: toEventText(deed.userId, 255) ?? '?' },
    targets: connector
      ? [
          {
            type: 'connector',
            id: toEventText(connector.id, 255) ?? '?',
            name: toEventText(connector.name, 255) ?? null,
          },
        ]
      : [],
    request_id: toEventText(deed.requestId, 64) ?? null,
    details: { ...deed.details },
  };
}

/** Records an action of a user in the audit trail. */
export type NoteDeed = (action: UserAction, deed: UserDeed) => void;

export const createNoteDeed =
  (deps: { trail: { note(event: AnyEvent): void }; clock: () => Date }): NoteDeed =>
  (action, deed) =>
    deps.trail.note(userEvent(action, deed, deps.clock().getTime()));
