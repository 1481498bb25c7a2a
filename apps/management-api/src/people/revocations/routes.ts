import type { OrganizationId, UserId } from '@legate/ids';
import type { MakeChange } from '../../changes/change.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf } from '../members/rules.ts';
import type { MemberStore } from '../members/store.ts';
import { RevokeUser, UserRevocation } from './user-revocation.ts';
import { createUserRevocations, type UserRevocations } from './user-revocations.ts';

/** Returns the operations that revoke all of a user's access and report whether the hub has confirmed it. */
export const openRevocations = (
  { tenants, clock }: Platform,
  parts: {
    makeChange: MakeChange;
    members: MemberStore;
    forgetStanding: (organizationId: OrganizationId, userId: UserId) => void;
    hasHub: boolean;
  },
): { readonly operations: Operation[] } => ({
  operations: revocationOperations(createUserRevocations({ tenants, clock, ...parts })),
});

const revocationOperations = (revocations: UserRevocations): Operation[] => [
  operation('revokeUser', 'post', '/revocations', {
    tag: 'Members',
    summary: 'End all sessions, tokens and running calls of a user',
    description:
      'Applies to all processes of the tool hub. The user stays a member. Waits up to 1.5 seconds for the hub to confirm. After a 202 the hub has not confirmed yet, and delivery is retried until it does.',
    access: 'members:write',
    isSecurity: true,
    noStore: 'private',
    body: json(RevokeUser),
    responses: {
      200: { description: 'The hub has confirmed the revocation', schema: UserRevocation },
      202: { description: 'The hub has not confirmed the revocation yet', schema: UserRevocation },
    },
    problems: { 403: ['role_escalation'], 404: ['not_found'], 409: ['tool_hub_not_configured'] },
    handle: async (call) => {
      const revocation = await revocations.revoke(call.author, actorOf(call), call.body);
      return { status: revocation.status === 'pending' ? 202 : 200, body: revocation } as const;
    },
  }),
  operation('getRevocation', 'get', '/revocations/{revocation_id}', {
    tag: 'Members',
    summary: 'Get the state of a revocation',
    access: 'members:read',
    whileSuspended: 'owner',
    noStore: 'private',
    responses: { 200: { description: 'The revocation', schema: UserRevocation } },
    handle: async ({ organizationId, params }) =>
      ok(await revocations.find(organizationId, params.revocation_id)),
  }),
];
