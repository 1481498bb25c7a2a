import { pageOf } from '@legate/pagination';
import type { Author } from '../../domain/author.ts';
import { created, noContent, ok, versioned } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';
import { json } from '../../http/api/request-body.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf } from '../members/rules.ts';
import type { MemberStore } from '../members/store.ts';
import { CreateInvitation, Invitation, ListInvitations } from './invitation.ts';
import { createInvitations, type Invitations } from './service.ts';
import { createInvitationStore, type Inviter } from './store.ts';

const FOUND = { description: 'The invitation', schema: Invitation, headers: ['ETag'] } as const;
/** The link, which is shown once and stored nowhere */
const SECRETS = ['accept_url'] as const;

/** @param parts.acceptUrl returns the URL of an invitation's link */
export const openInvitations = (
  { tenants, clock }: Platform,
  { members, acceptUrl }: { members: MemberStore; acceptUrl: (token: string) => string },
): { readonly operations: Operation[] } => ({
  operations: invitationOperations(
    createInvitations({ store: createInvitationStore(tenants), members, acceptUrl, clock }),
  ),
});

const invitationOperations = (invitations: Invitations): Operation[] => [
  operation('listInvitations', 'get', '/invitations', {
    tag: 'Invitations',
    summary: 'List invitations',
    description: 'Includes invitations that ended within the last 30 days.',
    access: 'invitations:read',
    noStore: 'private',
    query: ListInvitations,
    responses: { 200: { description: 'A page of invitations', schema: pageOf(Invitation) } },
    handle: async ({ organizationId, query }) => ok(await invitations.list(organizationId, query)),
  }),
  operation('createInvitation', 'post', '/invitations', {
    tag: 'Invitations',
    summary: 'Invite a person',
    description:
      'Send `accept_url` to the person yourself: only this response contains it, and in a replay it is null. Only an account for which the identity provider reports the address as verified can accept. Only owners can invite owners. At most 100 invitations may be open, and 50 may be created an hour.',
    access: 'invitations:write',
    noStore: 'private',
    body: json(CreateInvitation),
    secrets: SECRETS,
    responses: { 201: { ...FOUND, description: 'The new invitation', headers: ['Location', 'ETag'] } },
    problems: {
      403: ['role_escalation'],
      409: ['already_member', 'invitation_pending', 'quota_exceeded'],
    },
    change: async (change, call) => {
      const inviter = inviterOf(call.author);
      const stored = await invitations.create(change, actorOf(call), inviter, call.body);
      return created(`/invitations/${stored.value.id}`, stored);
    },
  }),
  operation('getInvitation', 'get', '/invitations/{invitation_id}', {
    tag: 'Invitations',
    summary: 'Get an invitation',
    access: 'invitations:read',
    noStore: 'private',
    responses: { 200: FOUND },
    handle: async ({ organizationId, params }) =>
      versioned(await invitations.find(organizationId, params.invitation_id)),
  }),
  operation('resendInvitation', 'post', '/invitations/{invitation_id}/resend', {
    tag: 'Invitations',
    summary: 'Create a new link for an invitation',
    description:
      'The old link stops working, and the invitation is valid for its full time again, even if it had expired. Possible once a minute. The caller becomes the inviter.',
    access: 'invitations:write',
    noStore: 'private',
    secrets: SECRETS,
    responses: { 200: FOUND },
    problems: { 403: ['role_escalation'], 409: ['invitation_closed', 'invitation_pending'] },
    change: async (change, call) => {
      const inviter = inviterOf(call.author);
      return versioned(
        await invitations.sendAgain(change, actorOf(call), inviter, call.params.invitation_id),
      );
    },
  }),
  operation('revokeInvitation', 'delete', '/invitations/{invitation_id}', {
    tag: 'Invitations',
    summary: 'Revoke an invitation',
    description: 'Its link stops working. Idempotent. The invitation stays in lists for 30 days.',
    access: 'invitations:write',
    ifMatch: true,
    isSecurity: true,
    responses: { 204: { description: 'The invitation is revoked' } },
    problems: { 403: ['role_escalation'], 409: ['invitation_closed'] },
    change: async (change, call) => {
      await invitations.revoke(change, actorOf(call), call.params.invitation_id, call.ifMatch);
      return noContent;
    },
  }),
];

function inviterOf({ type, userId }: Author): Inviter {
  if (type === 'system') throw new Error('nobody in person invites');
  return { type, id: userId };
}
