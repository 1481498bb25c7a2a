import { expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import { createCallTrail } from './call-trail.ts';

const caller = {
  userId: 'user_alice',
  organizationId: 'org_acme',
  subjectToken: 'an-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
};

function trailOf(logEvents: boolean) {
  const sent: (readonly string[])[] = [];
  const kept: string[] = [];
  let logged = '';
  const destination = {
    write(line: string) {
      logged += line;
    },
  };
  const trail = createCallTrail({
    outbox: { add: (events) => void sent.push(events) },
    explanations: { keep: ({ id }) => void kept.push(id) },
    clock: () => new Date(1_790_000_000_000),
    log: createLogger({ service: 'tool-hub', level: 'info', destination }),
    logEvents,
    onRecorded: () => undefined,
    onEnded: () => undefined,
  });
  return { trail, sent, kept, logged: () => logged };
}

it('hands on all that ended in one go, behind the answers', async () => {
  const { trail, sent, kept } = trailOf(false);
  const records = [trail.begin('tool', caller), trail.begin('tool', caller)];
  for (const record of records) trail.end(record);
  expect(sent).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent.map((events) => events.length)).toEqual([2]);
  expect(kept).toEqual(records.map(({ id }) => id));
});

it('tells of a call once, however often it is ended', () => {
  const { trail, sent } = trailOf(false);
  const record = trail.begin('tool', caller);
  trail.end(record);
  trail.flush();
  trail.end(record);
  trail.flush();
  expect(sent.flat()).toHaveLength(1);
});

it.each([true, false])('writes an event to the log if it is asked to: %s', (logEvents) => {
  const { trail, logged } = trailOf(logEvents);
  const record = trail.begin('tool', caller);
  trail.end(record);
  trail.flush();
  expect(logged().includes(record.id)).toBe(logEvents);
  expect(logged()).not.toContain('an-id-token');
});
