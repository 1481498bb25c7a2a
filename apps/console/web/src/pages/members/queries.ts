import type { ListSearch } from '../../api/list-search.ts';
import { type ListQuery, listOf, one } from '../../api/queries.ts';
import type { Invitation, Member } from '../../api/types.ts';

/** Search parameters: the tab that is shown, the member whose panel is open, and the filters of the list */
export type MembersSearch = ListSearch<'tab' | 'role' | 'status' | 'state' | 'member'>;

export const membersQuery = (query: ListQuery) => listOf<Member>('/members', query);
export const memberQuery = (id: string) => one<Member>(`/members/${id}`);
export const invitationsQuery = (query: ListQuery) => listOf<Invitation>('/invitations', query);
export const invitationQuery = (id: string) => one<Invitation>(`/invitations/${id}`);

/** Returns the number of active owners: the last one cannot be removed. */
export const ownersQuery = membersQuery({ role: 'owner', status: 'active', limit: 1 });
