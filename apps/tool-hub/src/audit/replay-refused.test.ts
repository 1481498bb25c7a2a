import { expect, it } from '@jest/globals';
import type { PostEvents } from './post-events.ts';
import type { RefusedEvent, RefusedEvents } from './refused-events.ts';
import { replayRefused } from './replay-refused.ts';

function kept(...events: string[]) {
  let entries: RefusedEvent[] = events.map((event, index) => ({
    id: `${index + 1}-0`,
    event,
    faults: 'old',
  }));
  const refusedEvents: Pick<RefusedEvents, 'read' | 'remove'> = {
    read: async (after, count) => {
      const start =
        after === undefined
          ? 0
          : entries.findIndex(({ id }) => Number.parseInt(id, 10) > Number.parseInt(after, 10));
      return start < 0 ? [] : entries.slice(start, start + count);
    },
    remove: async (ids) => {
      entries = entries.filter(({ id }) => !ids.includes(id));
    },
  };
  return { refusedEvents, left: () => entries.map(({ event }) => event) };
}

const takingAllBut =
  (bad: string): PostEvents =>
  async (events) => ({
    kind: 'taken',
    refused: events.flatMap((event, index) => (event === bad ? [{ index, faults: 'still bad' }] : [])),
  });

it('removes what management-api takes now, and keeps what it refuses again', async () => {
  const { refusedEvents, left } = kept('"a"', '"bad"', '"b"');
  const told: string[] = [];
  const replayed = await replayRefused({
    refusedEvents,
    post: takingAllBut('"bad"'),
    onRefused: (event, faults) => void told.push(`${event}: ${faults}`),
  });
  expect(replayed).toEqual({ taken: 2, refused: 1 });
  expect(left()).toEqual(['"bad"']);
  expect(told).toEqual(['"bad": still bad']);
});

it('comes to an end with more than a batch of events that are all refused again', async () => {
  const { refusedEvents, left } = kept(...Array.from({ length: 450 }, (_, i) => `"${i}"`));
  const post: PostEvents = async (events) => ({
    kind: 'taken',
    refused: events.map((_event, index) => ({ index, faults: 'bad' })),
  });
  const replayed = await replayRefused({ refusedEvents, post, onRefused: () => undefined });
  expect([replayed, left().length]).toEqual([{ taken: 0, refused: 450 }, 450]);
});

it('removes nothing of a batch while management-api is away', async () => {
  const { refusedEvents, left } = kept('"a"', '"b"');
  const post: PostEvents = () => Promise.reject(new Error('away'));
  await expect(replayRefused({ refusedEvents, post, onRefused: () => undefined })).rejects.toThrow('away');
  expect(left()).toEqual(['"a"', '"b"']);
});
