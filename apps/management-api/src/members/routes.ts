import { pageOf } from '@legate/pagination';
import type { Memberships } from '../admission/memberships.ts';
import { noContent, ok, versioned } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { mergePatch } from '../api/request-body.ts';
import type { Caller } from '../domain/caller.ts';
import type { Role } from '../domain/rights.ts';
import { ListMembers, Member, UpdateMember } from './member.ts';
import type { Actor, Members } from './service.ts';

/** Reads, changes and removes members; onboarding creates them. */
export function memberOperations(deps: { members: Members; memberships: Memberships }): Operation[] {
  const { members, memberships } = deps;
  const actorOf = (call: { caller: Caller; role: Role }): Actor => ({
    userId: call.caller.subject,
    tokenRole: call.role,
  });
  const found = { description: 'The member', schema: Member, headers: ['ETag'] } as const;
  return [
    operation('listMembers', 'get', '/members', {
      tag: 'Members',
      summary: 'List members',
      access: 'members:read',
      query: ListMembers,
      responses: { 200: { description: 'A page of members', schema: pageOf(Member) } },
      handle: async ({ organizationId, query }) => ok(await members.list(organizationId, query)),
    }),
    operation('getMember', 'get', '/members/{member_id}', {
      tag: 'Members',
      summary: 'Get a member',
      access: 'members:read',
      responses: { 200: found },
      handle: async ({ organizationId, params }) =>
        versioned(await members.find(organizationId, params.member_id)),
    }),
    operation('updateMember', 'patch', '/members/{member_id}', {
      tag: 'Members',
      summary: 'Change the role of a member',
      description: 'Only an owner makes an owner, or changes one. An organization always has an owner.',
      access: 'members:write',
      body: mergePatch(UpdateMember),
      ifMatch: true,
      responses: { 200: found },
      problems: { 403: ['role_escalation'], 409: ['last_owner'] },
      handle: async (call) => {
        const { params, ifMatch, body, organizationId } = call;
        const stored = await call.makeChange((change) =>
          members.update(change, actorOf(call), params.member_id, ifMatch, body),
        );
        memberships.forget(organizationId, stored.value.user_id);
        return versioned(stored);
      },
    }),
    operation('deleteMember', 'delete', '/members/{member_id}', {
      tag: 'Members',
      summary: 'Remove a member',
      description: 'Revokes the membership at once, whatever tokens the user has.',
      access: 'members:write',
      ifMatch: true,
      responses: { 204: { description: 'The user is no member any longer' } },
      problems: { 403: ['role_escalation'], 409: ['last_owner'] },
      handle: async (call) => {
        const { params, ifMatch, organizationId } = call;
        const removed = await call.makeChange((change) =>
          members.remove(change, actorOf(call), params.member_id, ifMatch),
        );
        memberships.forget(organizationId, removed.user_id);
        return noContent;
      },
    }),
  ];
}
