import { toEventText } from '@legate/management-contract';
import { Counter, type Logger, type Registry } from '@legate/service';
import type { RecordUserAction } from '../audit/user-event.ts';
import type { SessionRecord } from './session-record.ts';

/** Why a session ended. If many sessions end together, each is recorded and counted when it is used again. */
export type EndReason =
  | 'signed_out'
  | 'revoked'
  | 'idle'
  | 'lifetime'
  | 'not_renewed'
  | 'refused_by_idp'
  | 'displaced'
  /** The user has removed an MCP client. */
  | 'client_removed'
  /** The MCP client has become an agent, or another one. */
  | 'agent_changed'
  /** A token of a client was used twice, so somebody else has a copy. */
  | 'token_reused';

/** @param why further details for the log */
export type NoteEnd = (record: SessionRecord, reason: EndReason, why?: string) => void;

/** Records the beginning and end of each session in the log, the metrics and the audit trail. */
export function createSessionNotes(deps: {
  log: Logger;
  metrics: Registry;
  recordUserAction: RecordUserAction;
}): {
  noteOpening(record: Pick<SessionRecord, 'userId' | 'organizationId' | 'refreshToken' | 'grant'>): void;
  noteEnd: NoteEnd;
} {
  const { log, metrics, recordUserAction } = deps;
  const opened = new Counter({
    name: 'sessions_opened_total',
    help: 'Sessions that were opened, by whether the hub can renew them',
    labelNames: ['renewable'],
    registers: [metrics],
  });
  const ended = new Counter({
    name: 'sessions_ended_total',
    help: 'Sessions that ended, by reason; a revoked or expired session counts when it is used again',
    labelNames: ['reason'],
    registers: [metrics],
  });
  return {
    noteOpening({ userId, organizationId, refreshToken, grant }) {
      const renewable = refreshToken !== undefined;
      opened.inc({ renewable: String(renewable) });
      log.info({ user_id: userId, organization_id: organizationId, renewable }, 'session opened');
      recordUserAction('session.opened', {
        organizationId,
        userId,
        details: { renewable, ...clientOf(grant) },
      });
    },
    noteEnd({ userId, organizationId, grant }, reason, why) {
      ended.inc({ reason });
      log.info({ user_id: userId, organization_id: organizationId, reason, why }, 'session ended');
      recordUserAction('session.ended', { organizationId, userId, details: { reason, ...clientOf(grant) } });
    },
  };
}

/** Returns the MCP client of a session, if it has one. */
const clientOf = (grant: SessionRecord['grant']) =>
  grant && {
    client_id: toEventText(grant.clientId, 255) ?? null,
    client_name: toEventText(grant.clientName, 255) ?? null,
  };
