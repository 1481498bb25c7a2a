import { pageOf } from '@legate/pagination';
import type { Standings } from '../../callers/standing/standings.ts';
import { ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { mergePatch } from '../../http/api/request-body.ts';
import { ListMembers, Member, UpdateMember } from './member.ts';
import { readerOf } from './reader.ts';
import { actorOf } from './rules.ts';
import type { Members } from './service.ts';

/** Returns the operations that read members and change their roles. */
export function memberOperations(deps: { members: Members; standings: Standings }): Operation[] {
  const { members, standings } = deps;
  const found = { description: 'The member', schema: Member, headers: ['ETag'] } as const;
  return [
    operation('listMembers', 'get', '/members', {
      tag: 'Members',
      summary: 'List members',
      description:
        'Only owners and admins see the personal fields of others, and can sort by `last_seen_at`.',
      access: 'members:read',
      whileSuspended: 'owner',
      noStore: 'private',
      query: ListMembers,
      responses: { 200: { description: 'A page of members', schema: pageOf(Member) } },
      handle: async (call) => ok(await members.list(call.organizationId, call.query, readerOf(call))),
    }),
    operation('getMember', 'get', '/members/{member_id}', {
      tag: 'Members',
      summary: 'Get a member',
      access: 'members:read',
      whileSuspended: 'owner',
      noStore: 'private',
      responses: { 200: found },
      handle: async (call) =>
        versioned(await members.find(call.organizationId, call.params.member_id, readerOf(call))),
    }),
    operation('updateMember', 'patch', '/members/{member_id}', {
      tag: 'Members',
      summary: 'Change the role of a member',
      description:
        'Only an owner can make a member an owner, or change the role of an owner. An organization always keeps at least one owner.',
      access: 'members:write',
      // Changes of a role that are urgent usually lower it.
      isSecurity: true,
      noStore: 'private',
      body: mergePatch(UpdateMember),
      ifMatch: true,
      responses: { 200: found },
      problems: { 403: ['role_escalation'], 409: ['last_owner', 'role_managed'] },
      handle: async (call) => {
        const { params, ifMatch, body, organizationId } = call;
        const stored = await call.makeChange((change) =>
          members.update(change, actorOf(call), params.member_id, ifMatch, body),
        );
        standings.forget(organizationId, stored.value.user_id);
        return versioned(stored);
      },
    }),
  ];
}
