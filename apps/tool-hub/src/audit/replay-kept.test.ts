import { expect, it } from '@jest/globals';
import type { KeptEvent, KeptEvents } from './kept-events.ts';
import type { PostEvents } from './post-events.ts';
import { replayKept } from './replay-kept.ts';

function kept(...events: (string | undefined)[]) {
  let entries: KeptEvent[] = events.map((event, index) => ({ id: `${index + 1}-0`, event }));
  const keptEvents: KeptEvents = {
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
  return { keptEvents, left: () => entries.map(({ event }) => event) };
}

const takingAllBut =
  (bad: string): PostEvents =>
  async (events) => ({
    kind: 'taken',
    refused: events.flatMap((event, index) => (event === bad ? [{ index, faults: 'still bad' }] : [])),
  });

it('removes events that management-api accepts now, and keeps those that it refuses again', async () => {
  const { keptEvents, left } = kept('"a"', '"bad"', '"b"');
  const refused: string[] = [];
  const replayed = await replayKept({
    keptEvents,
    post: takingAllBut('"bad"'),
    onRefused: (event, faults) => void refused.push(`${event}: ${faults}`),
  });
  expect(replayed).toEqual({ taken: 2, refused: 1, unreadable: 0 });
  expect(left()).toEqual(['"bad"']);
  expect(refused).toEqual(['"bad": still bad']);
});

it('keeps undecryptable events, and sends all others', async () => {
  const { keptEvents, left } = kept('"a"', undefined, '"b"');
  const posted: string[] = [];
  const replayed = await replayKept({
    keptEvents,
    post: async (events) => {
      posted.push(...events);
      return { kind: 'taken', refused: [] };
    },
    onRefused: () => undefined,
  });
  expect([replayed, posted]).toEqual([{ taken: 2, refused: 0, unreadable: 1 }, ['"a"', '"b"']]);
  expect(left()).toEqual([undefined]);
});

it('ends if more than one batch of events is refused again', async () => {
  const { keptEvents, left } = kept(...Array.from({ length: 450 }, (_, i) => `"${i}"`));
  const post: PostEvents = async (events) => ({
    kind: 'taken',
    refused: events.map((_event, index) => ({ index, faults: 'bad' })),
  });
  const replayed = await replayKept({ keptEvents, post, onRefused: () => undefined });
  expect([replayed, left().length]).toEqual([{ taken: 0, refused: 450, unreadable: 0 }, 450]);
});

it('removes no event of a batch while management-api is down', async () => {
  const { keptEvents, left } = kept('"a"', '"b"');
  const post: PostEvents = () => Promise.reject(new Error('away'));
  await expect(replayKept({ keptEvents, post, onRefused: () => undefined })).rejects.toThrow('away');
  expect(left()).toEqual(['"a"', '"b"']);
});
