import type { Response } from 'express';
import type { Standings } from '../../callers/standing/standings.ts';
import type { Change } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import { isServedByHub, revocationIdOf } from '../../domain/revocation-id.ts';
import type { Role } from '../../domain/rights.ts';
import { noContent, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { etagOf } from '../../http/api/preconditions.ts';
import { json, optionalJson } from '../../http/api/request-body.ts';
import type { Ended, KeepingOut } from './keeping-out.ts';
import { DenyUser, EndMembership, Member, ReinstateMember } from './member.ts';
import { type Actor, actorOf } from './rules.ts';
import type { Unlink } from './unlink.ts';

const found = { description: 'The member', schema: Member, headers: ['ETag'] } as const;
const kept = { ...found, headers: ['ETag', 'Legate-Revocation'] } as const;
const REFUSALS = { 403: ['role_escalation'], 409: ['last_owner', 'own_membership'] } as const;

/** Returns the operations that end memberships and reinstate members. */
export function keepingOutOperations(deps: {
  keepingOut: KeepingOut;
  standings: Standings;
  /**
   * Removes the organization from the user's tokens at the identity provider, in the background; undefined if it has
   * no admin API.
   */
  unlink: Unlink | undefined;
  /** False if there is no hub to notify */
  hasHub: boolean;
}): Operation[] {
  const { keepingOut, standings, unlink, hasHub } = deps;
  const end = createEnd(standings, hasHub);
  return [
    // Before /members/{member_id}, which would match it
    operation('denyUser', 'post', '/members/deny', {
      tag: 'Members',
      summary: 'Deny a user access, whether or not they are a member',
      description:
        'Takes the `sub` of the user, for example from the audit trail. The user need not have sent a request yet. Idempotent.',
      access: 'members:write',
      isSecurity: true,
      noStore: 'private',
      body: json(DenyUser),
      responses: { 200: kept, 201: { ...kept, description: 'The denied user, who was not a member' } },
      problems: { ...REFUSALS, 403: ['role_escalation', 'member_limit_reached'] },
      handle: async (call) => {
        const { user_id, reason } = call.body;
        const denied = await end(call, (change, actor) => keepingOut.deny(change, actor, user_id, reason));
        const headers = { ETag: etagOf(denied.version) };
        return { status: denied.isNew ? 201 : 200, headers, body: denied.value } as const;
      },
    }),
    operation('deactivateMember', 'post', '/members/{member_id}/deactivate', {
      tag: 'Members',
      summary: 'Deactivate a member',
      description:
        'Refuses their requests, whatever tokens they have, until they are reinstated. Idempotent.',
      access: 'members:write',
      isSecurity: true,
      noStore: 'private',
      body: optionalJson(EndMembership),
      responses: { 200: kept },
      problems: REFUSALS,
      handle: async (call) =>
        versioned(
          await end(call, (change, actor) =>
            keepingOut.deactivate(change, actor, call.params.member_id, call.body.reason),
          ),
        ),
    }),
    operation('reinstateMember', 'post', '/members/{member_id}/reinstate', {
      tag: 'Members',
      summary: 'Reinstate a member',
      description: 'Restores the access of a member who was deactivated, denied or removed. Idempotent.',
      access: 'members:write',
      noStore: 'private',
      body: optionalJson(ReinstateMember),
      responses: { 200: found },
      problems: { 403: ['role_escalation'], 409: ['role_managed'] },
      handle: async (call) => {
        const { params, body, organizationId } = call;
        const stored = await call.makeChange((change) =>
          keepingOut.reinstate(change, actorOf(call), params.member_id, body.role),
        );
        standings.forget(organizationId, stored.value.user_id);
        return versioned(stored);
      },
    }),
    ...removingOperations(keepingOut, end, unlink),
  ];
}

function removingOperations(keepingOut: KeepingOut, end: End, unlink: Unlink | undefined): Operation[] {
  return [
    operation('deleteMember', 'delete', '/members/{member_id}', {
      tag: 'Members',
      summary: 'Remove a member',
      description:
        'Revokes the membership at once, whatever tokens the user has. Name and address are erased after 30 days; `user_id` is kept, so that the user stays excluded.',
      access: 'members:write',
      isSecurity: true,
      ifMatch: true,
      responses: {
        204: { description: 'The user is no longer a member', headers: ['Legate-Revocation'] },
      },
      problems: REFUSALS,
      handle: async (call) => {
        const removed = await end(call, (change, actor) =>
          keepingOut.remove(change, actor, call.params.member_id, call.ifMatch),
        );
        if (removed.event) unlink?.(call.author, removed.value);
        return { ...noContent, headers: {} };
      },
    }),
    operation('leaveOrganization', 'post', '/me/leave', {
      tag: 'Caller',
      summary: 'Leave the organization',
      description: 'Ends your own membership. An administrator can let you in again.',
      access: 'members:read',
      isSecurity: true,
      // Any role may leave, but not with a token that is limited to reading.
      tokenScope: 'members:write',
      isForPeople: true,
      responses: { 204: { description: 'You are no longer a member', headers: ['Legate-Revocation'] } },
      problems: { 409: ['last_owner'] },
      handle: async (call) => {
        const left = await end(call, (change, actor) => keepingOut.leave(change, actor));
        if (left.event) unlink?.(call.author, left.value);
        return { ...noContent, headers: {} };
      },
    }),
  ];
}

type End = ReturnType<typeof createEnd>;

/**
 * Returns a function that ends a membership, applies it in this process, and sets the header with the hub's
 * revocation.
 */
const createEnd =
  (standings: Standings, hasHub: boolean) =>
  async <Result extends Ended>(
    call: {
      caller: Caller;
      role: Role;
      author: Author;
      makeChange: <Made>(work: (change: Change) => Promise<Made>) => Promise<Made>;
      res: Response;
    },
    work: (change: Change, actor: Actor) => Promise<Result>,
  ): Promise<Result> => {
    const ended = await call.makeChange((change) => work(change, actorOf(call)));
    const { user_id } = ended.value;
    standings.forget(call.author.organizationId, user_id);
    if (hasHub && ended.event && isServedByHub(user_id)) {
      call.res.set('Legate-Revocation', revocationIdOf(ended.event));
    }
    return ended;
  };
