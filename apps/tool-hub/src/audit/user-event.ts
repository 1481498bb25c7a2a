import type { OrganizationId, UserId } from '@legate/ids';
import { type AuditAction, toEventText } from '@legate/management-contract';
import { newCallId } from './call-record.ts';
import type { AnyEvent } from './refusal-digest.ts';

/** Actions of a user at the hub other than calls; the names are part of the API. */
export type UserAction =
  | 'session.opened'
  | 'session.ended'
  /** `DELETE /tokens` */
  | 'session.signed_out'
  | 'consent.granted'
  | 'consent.denied'
  | 'consent.withdrawn'
  /** The doctor made a delegation for a connector as this user. */
  | 'delegation.examined'
  /** The doctor examined a tool server that has no connector. */
  | 'delegation.address_examined';

export interface UserActionContext {
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly connector?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** The agent of the user's session */
  readonly agentId?: string | undefined;
  /** The hub's own id of the request, if there is one */
  readonly requestId?: string | undefined;
  /** Identifiers, codes, numbers and hashes, without tokens or content */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Returns an event that is not a call, in the form that management-api accepts. */
export const newEvent = <Details extends object>(
  action: AuditAction,
  about: Pick<UserActionContext, 'organizationId' | 'requestId' | 'connector' | 'agentId'>,
  actor: { readonly type: 'user' | 'system'; readonly id: string },
  atMs: number,
  details: Details,
) => ({
  id: newCallId(atMs),
  organization_id: about.organizationId,
  action,
  occurred_at: new Date(atMs).toISOString(),
  actor: { type: actor.type, id: toEventText(actor.id, 255) ?? '?' },
  targets: [
    ...(about.agentId === undefined ? [] : [{ type: 'agent', id: about.agentId }]),
    ...(about.connector ? [connectorTarget(about.connector)] : []),
  ],
  request_id: toEventText(about.requestId, 64) ?? null,
  details,
});

const connectorTarget = ({ id, name }: NonNullable<UserActionContext['connector']>) => ({
  type: 'connector',
  id: toEventText(id, 255) ?? '?',
  name: toEventText(name, 255) ?? null,
});

export const userEvent = (action: UserAction, context: UserActionContext, atMs: number) =>
  newEvent(action, context, { type: 'user', id: context.userId }, atMs, { ...context.details });

/** Records an action of a user in the audit trail. */
export type RecordUserAction = (action: UserAction, context: UserActionContext) => void;

export const createRecordUserAction =
  (deps: { trail: { note(event: AnyEvent): void }; clock: () => Date }): RecordUserAction =>
  (action, context) =>
    deps.trail.note(userEvent(action, context, deps.clock().getTime()));
