import { stringify } from 'csv-stringify/sync';
import type { AuditEvent } from './audit-event.ts';
import { harmlessCell } from './csv-cell.ts';

/** Converts events to text, and ends the export. */
export interface ExportFormat {
  readonly begin: string;
  events(events: readonly AuditEvent[]): string;
  /** @param resume cursor of the next export; null: there are no more events */
  end(count: number, resume: string | null): string;
}

/** One event per line, then a line that marks the end: an export without that line is incomplete. */
const ndjson: ExportFormat = {
  begin: '',
  events: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  end: (count, resume) => `${JSON.stringify({ end: true, count, resume })}\n`,
};

const COLUMNS = [
  ...['id', 'occurred_at', 'recorded_at', 'action'],
  ...['actor_type', 'actor_id', 'actor_name', 'actor_email'],
  ...['request_id', 'client_request_id', 'trace_id', 'ip', 'user_agent', 'auth', 'client_id', 'token_id'],
  ...['targets', 'changes', 'details', 'truncated'],
] as const;

const toCsv = (rows: readonly (readonly (string | null)[])[]): string =>
  stringify(rows.map((row) => row.map((cell) => cell && harmlessCell(cell))));

const csv: ExportFormat = {
  begin: toCsv([COLUMNS]),
  events: (events) => toCsv(events.map((event) => COLUMNS.map((column) => cellOf(event, column)))),
  end: () => '',
};

function cellOf(event: AuditEvent, column: (typeof COLUMNS)[number]): string | null {
  const { actor, context } = event;
  switch (column) {
    case 'actor_type':
      return actor.type;
    case 'actor_id':
      return actor.id;
    case 'actor_name':
      return actor.name;
    case 'actor_email':
      return actor.email;
    case 'id':
    case 'occurred_at':
    case 'recorded_at':
    case 'action':
      return event[column];
    case 'targets':
    case 'changes':
    case 'details':
    case 'truncated':
      return event[column] === null ? null : JSON.stringify(event[column]);
    default:
      return context[column];
  }
}

export const EXPORT_FORMATS: Readonly<Record<'ndjson' | 'csv', ExportFormat>> = { ndjson, csv };
