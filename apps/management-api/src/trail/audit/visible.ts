import type { UserId } from '@legate/ids';
import type { Caller } from '../../domain/caller.ts';
import type { Role } from '../../domain/rights.ts';

/** The reader of the audit trail, which determines what is visible. */
export interface TrailReader {
  readonly role: Role;
  readonly userId: UserId;
  /** `iat` of the reader's token, in epoch seconds */
  readonly issuedAt?: number | undefined;
  /** The application through which the reader sends requests; null: not known */
  readonly clientId: string | null;
  /** The machine that reads; undefined: a person */
  readonly machine?: { readonly accountId: string; readonly keyId: string | null } | undefined;
}

export const readerOf = ({ caller, role }: { caller: Caller; role: Role }): TrailReader => ({
  role,
  userId: caller.subject,
  issuedAt: caller.issuedAt,
  clientId: caller.credential.clientId,
  machine: caller.serviceAccount && {
    accountId: caller.serviceAccount.id,
    keyId: caller.credential.kind === 'api_key' ? caller.credential.clientId : null,
  },
});

/** Adds a value to a statement, and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Owners and administrators see the whole audit trail. */
export const seesAll = ({ role }: TrailReader): boolean => role === 'owner' || role === 'admin';

/** Kinds of resources that developers work on */
const OF_DEVELOPERS = "('site', 'agent', 'connector', 'domain')";

export interface Visible {
  /** Part of the names of statements with these conditions */
  readonly name: 'all' | `${'developer' | 'viewer'}${'' | '_machine'}`;
  /** The events that the reader may see; a row is `r` */
  readonly rows: string;
  /** The events for which the reader may also see who caused them, and from which address */
  readonly inFull: string;
}

/**
 * Returns what the reader may see as conditions for WHERE, so that pages, totals, cursors and exports are
 * consistent.
 */
export function visibleTo(reader: TrailReader, bind: Bind): Visible {
  if (seesAll(reader)) return { name: 'all', rows: 'true', inFull: 'true' };
  const own = `(r.actor->>'id' = ${bind(reader.userId)} AND r.actor->>'type' = '${reader.machine ? 'service_account' : 'user'}')`;
  const ofMachine = reader.machine ? '_machine' : '';
  if (reader.role === 'viewer') return { name: `viewer${ofMachine}`, rows: own, inFull: own };
  const rows = `(split_part(r.action, '.', 1) IN ${OF_DEVELOPERS} OR ${own})`;
  return { name: `developer${ofMachine}`, rows, inFull: own };
}
