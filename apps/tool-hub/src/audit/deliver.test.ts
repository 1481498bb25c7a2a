import { expect, it, jest } from '@jest/globals';
import { createDeliver, type OnRefused } from './deliver.ts';
import { createPostEvents, type PostEvents } from './post-events.ts';

function deliverTo(post: PostEvents) {
  const onRefused = jest.fn<OnRefused>();
  const onDelivered = jest.fn<(count: number) => void>();
  const delivered = () => onDelivered.mock.calls.reduce((sum, [count]) => sum + count, 0);
  return { deliver: createDeliver({ post, onDelivered, onRefused }), onRefused, delivered };
}

it('reports the refused events of a batch, and delivers the others', async () => {
  const { deliver, onRefused, delivered } = deliverTo(async () => ({
    kind: 'taken',
    refused: [{ index: 1, faults: '/action invalid_format' }],
  }));
  await deliver(['a', 'b', 'c']);
  expect([onRefused.mock.calls, delivered()]).toEqual([[['b', '/action invalid_format']], 2]);
});

it('finds the event that makes management-api refuse a whole batch', async () => {
  const events = Array.from({ length: 200 }, (_, index) => `e${index}`);
  const taken: string[] = [];
  const { deliver, onRefused, delivered } = deliverTo(async (batch) => {
    if (batch.includes('e137')) return { kind: 'refused', status: 400 };
    taken.push(...batch);
    return { kind: 'taken', refused: [] };
  });
  await deliver(events);
  expect([onRefused.mock.calls, delivered()]).toEqual([[['e137', 'status 400']], 199]);
  expect(taken).toEqual(events.filter((event) => event !== 'e137'));
});

it('throws if there is no response, so that the batch is sent again', async () => {
  const { deliver, onRefused } = deliverTo(async () => {
    throw new Error('away');
  });
  await expect(deliver(['a'])).rejects.toThrow('away');
  expect(onRefused).not.toHaveBeenCalled();
});

it('sends no request without events', async () => {
  const post = jest.fn<PostEvents>();
  await deliverTo(post).deliver([]);
  expect(post).not.toHaveBeenCalled();
});

it.each([
  [500, {}],
  [429, {}],
  [401, {}],
  [403, {}],
  [404, {}],
  [302, {}],
  [200, { accepted: 1 }],
  [200, '<html>'],
])('treats status %i with %j like a missing response', async (status, body) => {
  const fetchAsHub = async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  const post = createPostEvents({ managementApiUrl: 'https://api.example', fetchAsHub });
  await expect(post(['{}'])).rejects.toThrow(`status ${status}`);
});
