import { expect, it } from '@jest/globals';
import { recordSpans } from '../testing/recorded-spans.ts';
import type { TracingSettings } from './settings.ts';

type Sampler = TracingSettings['OTEL_TRACES_SAMPLER'];

/** Above and below the threshold of a ratio of one half */
const [HIGH, LOW] = ['f'.repeat(8).padEnd(32, '0'), '0'.repeat(31).concat('1')];

async function isKept(sampler: Sampler, traceId: string, isSampled: boolean): Promise<boolean> {
  const { tracer, read } = recordSpans(sampler, 0.5);
  const parent = { traceId, spanId: 'b'.repeat(16), isSampled };
  const server = tracer.start('server', { kind: 'server', parent, isParentRemote: true });
  tracer.start('child', { kind: 'internal', parent: server.context }).end();
  server.end();
  const spans = await read();
  expect([0, 2]).toContain(spans.length); // all of it or nothing
  expect(server.context).toMatchObject({ traceId, isSampled: spans.length === 2 });
  return spans.length === 2;
}

it.each<[Sampler, string, boolean, boolean]>([
  ['parentbased_always_on', HIGH, true, true],
  ['parentbased_always_on', HIGH, false, false],
  ['parentbased_traceidratio', LOW, true, true],
  ['parentbased_traceidratio', LOW, false, false],
  ['parentbased_traceidratio', HIGH, true, false],
  ['traceidratio', HIGH, true, false],
  ['always_off', LOW, true, false],
  ['always_on', HIGH, false, true],
  ['parentbased_always_off', HIGH, true, true],
  ['parentbased_always_off', HIGH, false, false],
])('%s of trace %s that the caller samples: %s, is kept: %s', async (sampler, traceId, asked, kept) => {
  expect(await isKept(sampler, traceId, asked)).toBe(kept);
});
