import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import type { NewAuditEvent } from '../../domain/audit-event.ts';
import { systemAuthor } from '../../domain/author.ts';
import { AuditEventId, MemberId } from '../../domain/ids.ts';
import type { Member } from './member.ts';
import { createUnlink } from './unlink.ts';

const AUTHOR = systemAuthor(OrganizationId.parse('org_a'));
const BOB = {
  id: MemberId.parse('mem_bob'),
  user_id: UserId.parse('bob'),
  name: 'Bob',
  email: null,
} as Member;

function scene(removeMembership: () => Promise<void>) {
  const asked: unknown[] = [];
  const recorded: NewAuditEvent[] = [];
  let resolve = () => {};
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  const unlink = createUnlink({
    async removeMembership(...user) {
      asked.push(user);
      await removeMembership().finally(() => resolve());
    },
    makeChange: (_author, work) =>
      work({
        organizationId: AUTHOR.organizationId,
        connection: { query: async () => [] },
        async record(event) {
          recorded.push(event);
          return AuditEventId.parse('evt_a');
        },
      }),
    onLost: () => {},
  });
  return { unlink, asked, recorded, done };
}

it('asks the identity provider to end the membership', async () => {
  const { unlink, asked, recorded, done } = scene(async () => {});
  unlink(AUTHOR, BOB);
  await done;
  expect([asked, recorded]).toEqual([[['org_a', 'bob']], []]);
});

it('records a failure', async () => {
  const { unlink, recorded, done } = scene(() => Promise.reject(new Error('down')));
  unlink(AUTHOR, BOB);
  await done;
  await new Promise(setImmediate);
  expect(recorded).toEqual([
    { action: 'member.unlink_failed', targets: [{ type: 'member', id: 'mem_bob', name: 'Bob' }] },
  ]);
});
