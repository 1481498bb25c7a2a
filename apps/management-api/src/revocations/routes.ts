import { UserId } from '@legate/ids';
import { z } from 'zod';
import { ok } from '../api/answer.ts';
import { type Operation, operation } from '../api/operation.ts';
import { json } from '../api/request-body.ts';
import { MemberId } from '../domain/ids.ts';
import { Reason } from '../members/member.ts';
import type { UserRevocations } from './user-revocations.ts';

const Revocation = z
  .strictObject({
    id: z.string(),
    user_id: UserId,
    status: z
      .enum(['delivered', 'pending', 'not_served'])
      .describe('`not_served`: the tool hub serves no `sub` with a colon, so there was nothing to end'),
    attempts: z.number().int().describe('How often the hub was told without success'),
    confirmed_at: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .describe('When the hub confirmed; null where the request did not wait for it, because it is not kept'),
  })
  .meta({ id: 'Revocation', description: 'The end of what a user had at the tool hub.' });

const RevokeUser = z
  .strictObject({
    user_id: UserId.optional(),
    member_id: MemberId.optional(),
    reason: Reason.optional(),
  })
  .refine(({ user_id, member_id }) => (user_id === undefined) !== (member_id === undefined), {
    error: 'Send either user_id or member_id.',
  });

/** Ends what a user has now, everywhere, and tells whether the hub has confirmed it. */
export const revocationOperations = (revocations: UserRevocations): Operation[] => [
  operation('revokeUser', 'post', '/revocations', {
    tag: 'Members',
    summary: 'End everything that a user has now, but not their membership',
    description:
      'Sessions, cached tokens and running calls at the tool hub, in all its processes. Waits 1.5 seconds for it; 202 says that it has not confirmed yet, and is told until it does.',
    access: 'members:write',
    noStore: 'private',
    body: json(RevokeUser),
    responses: {
      200: { description: 'The hub has confirmed', schema: Revocation },
      202: { description: 'The hub has not confirmed yet', schema: Revocation },
    },
    problems: { 403: ['role_escalation'], 404: ['not_found'], 409: ['tool_hub_not_configured'] },
    handle: async ({ caller, role, author, body }) => {
      const actor = { userId: caller.subject, tokenRole: role };
      const revocation = await revocations.revoke(author, actor, body);
      return { status: revocation.status === 'pending' ? 202 : 200, body: revocation } as const;
    },
  }),
  operation('getRevocation', 'get', '/revocations/{revocation_id}', {
    tag: 'Members',
    summary: 'Get whether the tool hub has confirmed a revocation',
    access: 'members:read',
    noStore: 'private',
    responses: { 200: { description: 'The revocation', schema: Revocation } },
    handle: async ({ organizationId, params }) =>
      ok(await revocations.find(organizationId, params.revocation_id)),
  }),
];
