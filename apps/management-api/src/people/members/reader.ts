import type { Page } from '@legate/pagination';
import { validationFailed } from '@legate/service';
import type { Caller } from '../../domain/caller.ts';
import type { Role } from '../../domain/rights.ts';
import type { Stored } from '../../domain/stored.ts';
import type { ListMembers, Member } from './member.ts';

/** The reader of a list of members: owners and admins see everyone's personal fields, others only their own. */
export interface Reader {
  readonly userId: Caller['subject'];
  readonly seesPersonalFields: boolean;
}

export const readerOf = (call: { caller: Caller; role: Role }): Reader => ({
  userId: call.caller.subject,
  seesPersonalFields: call.role === 'owner' || call.role === 'admin',
});

const HIDDEN = {
  email: null,
  email_verified: null,
  external_id: null,
  invited_by: null,
  last_seen_at: null,
} as const;

const shown = (member: Member, reader: Reader): Member =>
  reader.seesPersonalFields || member.user_id === reader.userId ? member : { ...member, ...HIDDEN };

export const pageShown = (page: Page<Member>, reader: Reader): Page<Member> => ({
  ...page,
  data: page.data.map((member) => shown(member, reader)),
});

export const storedShown = ({ value, version }: Stored<Member>, reader: Reader): Stored<Member> => ({
  value: shown(value, reader),
  version,
});

/** Sorting by a hidden field would reveal it. @throws {Problem} 400 */
export function refuseHiddenOrder({ sort }: ListMembers, reader: Reader): void {
  if (reader.seesPersonalFields || !sort.endsWith('last_seen_at')) return;
  throw validationFailed([
    { parameter: 'sort', code: 'not_permitted', detail: 'Only owners and admins may sort by last_seen_at.' },
  ]);
}
