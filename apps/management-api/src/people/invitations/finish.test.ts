import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import type { Change } from '../../changes/change.ts';
import { AuditEventId, InvitationId, MemberId } from '../../domain/ids.ts';
import type { FormerMembership, Invitee, OpenedInvitation } from './acceptance-store.ts';
import { createFinish } from './finish.ts';

const SENT = new Date('2026-07-01T00:00:00Z');
const LATER = new Date('2026-07-02T00:00:00Z');
const EARLIER = new Date('2026-06-30T00:00:00Z');
const userId = UserId.parse('user_erin');
const person: Invitee = {
  ...{ issuer: 'https://idp.example', userId, email: 'erin@acme.example', emailProven: true },
  ...{ name: 'Erin', signedInTo: null },
};
const invitation: OpenedInvitation = {
  id: InvitationId.parse('inv_01JZ0000000000000000000000'),
  organizationId: OrganizationId.parse('org_acme'),
  ...{ email: 'erin@acme.example', role: 'viewer', state: 'pending', isBeingAccepted: false, sentAt: SENT },
  ...{ userId: null, invitedBy: UserId.parse('user_alice'), inviterName: 'Alice', inviterRole: 'owner' },
  ...{ organizationName: 'Acme', organizationIsActive: true },
};
const memberOf = (keptOut: FormerMembership['keptOut'], removedAt: Date | null): FormerMembership => ({
  ...{
    id: MemberId.parse('mem_01JZ0000000000000000000000'),
    role: 'viewer',
    name: 'Erin',
    keptOut,
    removedAt,
  },
});

/** Accepts the invitation while another request makes this membership. @returns the recorded events */
async function finishBeside(made: FormerMembership | undefined): Promise<string[]> {
  const recorded: string[] = [];
  const looks = [undefined, made];
  const finish = createFinish({
    store: {
      lockUser: async () => {},
      lock: async () => invitation,
      membership: async () => looks.shift(),
      isElsewhere: async () => false,
      join: async () => undefined,
      letInAgain: async () => {},
      accepted: async () => {},
    } as unknown as Parameters<typeof createFinish>[0]['store'],
    ...{ multipleOrganizations: true, maxMembers: 10, clock: () => LATER },
  });
  const change = {
    record: async ({ action }: { action: string }) => {
      recorded.push(action);
      return AuditEventId.parse('aud_01JZ0000000000000000000000');
    },
  } as unknown as Change;
  await finish(change, invitation.id, person);
  return recorded;
}

it('keeps out a person who is denied between the check and the join', async () => {
  for (const keptOut of ['denied', 'deactivated', 'removed'] as const)
    await expect(finishBeside(memberOf(keptOut, LATER))).rejects.toMatchObject({ status: 403 });
});

it('accepts for a person who became a member between the check and the join', async () => {
  expect(await finishBeside(memberOf(null, null))).toEqual(['invitation.accepted']);
});

it('lets a person in again who was removed before the link was made', async () => {
  expect(await finishBeside(memberOf('removed', EARLIER))).toEqual([
    'member.reinstated',
    'invitation.accepted',
  ]);
});

it('refuses if the organization has its maximum number of members', async () => {
  await expect(finishBeside(undefined)).rejects.toMatchObject({ code: 'member_limit_reached' });
});
