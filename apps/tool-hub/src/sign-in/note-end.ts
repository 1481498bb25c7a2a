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

type NotedSession = Pick<SessionRecord, 'userId' | 'organizationId' | 'clientId' | 'agentId' | 'grant'>;

/** @param why further details for the log */
export type NoteEnd = (record: SessionRecord, reason: EndReason, why?: string) => void;

/** Records the beginning and end of each session in the log, the metrics and the audit trail. */
export function createSessionNotes(deps: {
  log: Logger;
  metrics: Registry;
  recordUserAction: RecordUserAction;
}): {
  noteOpening(record: NotedSession & Pick<SessionRecord, 'refreshToken'>): void;
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
    noteOpening(record) {
      const { userId, organizationId } = record;
      const renewable = record.refreshToken !== undefined;
      opened.inc({ renewable: String(renewable) });
      log.info({ user_id: userId, organization_id: organizationId, renewable }, 'session opened');
      recordUserAction('session.opened', {
        ...aboutOf(record),
        details: { renewable, ...partiesOf(record) },
      });
    },
    noteEnd(record, reason, why) {
      const { userId, organizationId } = record;
      ended.inc({ reason });
      log.info({ user_id: userId, organization_id: organizationId, reason, why }, 'session ended');
      recordUserAction('session.ended', { ...aboutOf(record), details: { reason, ...partiesOf(record) } });
    },
  };
}

const aboutOf = ({ organizationId, userId, agentId }: NotedSession) => ({ organizationId, userId, agentId });

/** Returns who uses the session, in the words of a call's event. A session of an MCP client has the hub's own `clientId`. */
const partiesOf = ({ clientId, agentId, grant }: NotedSession) => ({
  authorized_party: toEventText(grant?.clientId ?? clientId, 255) ?? null,
  ...(grant && { client_name: toEventText(grant.clientName, 255) ?? null }),
  ...(agentId !== undefined && { agent_authenticated: true }),
});
