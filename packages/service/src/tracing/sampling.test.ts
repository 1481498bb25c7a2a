import { expect, it } from '@jest/globals';
import { recordSpans } from '../testing/recorded-spans.ts';

/** Trace ids above and below the threshold of a ratio of one half */
const [HIGH, LOW] = ['f'.repeat(8).padEnd(32, '0'), '0'.repeat(31).concat('1')];

async function isKept(ratio: number, traceId: string, isSampled: boolean): Promise<boolean> {
  const { tracer, read } = recordSpans(ratio);
  const parent = { traceId, spanId: 'b'.repeat(16), isSampled };
  const server = tracer.start('server', { kind: 'server', parent, isParentRemote: true });
  tracer.start('child', { kind: 'internal', parent: server.context }).end();
  server.end();
  const spans = await read();
  expect([0, 2]).toContain(spans.length); // the whole trace or nothing of it
  expect(server.context).toMatchObject({ traceId, isSampled: spans.length === 2 });
  return spans.length === 2;
}

it.each([
  [1, HIGH, true, true],
  [1, HIGH, false, false],
  [0.5, LOW, true, true],
  [0.5, LOW, false, false],
  [0.5, HIGH, true, false],
  [0, LOW, true, false],
])(
  'with a ratio of %s, trace %s that the caller samples: %s, is kept: %s',
  async (ratio, traceId, asked, kept) => {
    expect(await isKept(ratio, traceId, asked)).toBe(kept);
  },
);
