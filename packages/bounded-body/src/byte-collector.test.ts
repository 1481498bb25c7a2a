import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteCollector } from './byte-collector.ts';
import { isFragmented } from './is-fragmented.ts';
import type { Memory } from './memory.ts';

const PAGE_BYTES = 65_536;

function memoryOf(bytes: number): Memory & { readonly used: number; readonly left: number } {
  let used = 0;
  return {
    take(wanted) {
      if (used + wanted > bytes) return false;
      used += wanted;
      return true;
    },
    give(returned) {
      used -= returned;
    },
    get used() {
      return used;
    },
    get left() {
      return bytes - used;
    },
  };
}

it('returns the added bytes, whatever the size of the chunks', () => {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.nat(3 * PAGE_BYTES).map((length) => new Uint8Array(length).fill(length % 251)),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
      const collector = new ByteCollector(memoryOf(100 * PAGE_BYTES));
      for (const each of chunks) expect(collector.add(each)).toBe(true);
      const whole = Buffer.concat(chunks);
      expect(collector.size).toBe(whole.length);
      expect(whole.equals(collector.toBuffer())).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('does not copy a single chunk', () => {
  const collector = new ByteCollector();
  const chunk = Buffer.from('{}');
  collector.add(chunk);
  expect(collector.toBuffer().buffer).toBe(chunk.buffer);
});

it('keeps no original chunk if there are several, because it would retain its whole buffer', () => {
  const collector = new ByteCollector();
  const chunks = [Buffer.from('a'), Buffer.from('b')];
  for (const chunk of chunks) collector.add(chunk);
  for (const chunk of chunks) chunk.fill('x');
  expect(collector.toBuffer().toString()).toBe('ab');
});

it('counts pages, not chunks: a million chunks of one byte count as a million bytes and less than a page', () => {
  const memory = memoryOf(2_000_000);
  const collector = new ByteCollector(memory);
  const chunk = Buffer.from('x');
  for (let i = 0; i < 1_000_000; i += 1) collector.add(chunk);
  expect(memory.used).toBeGreaterThanOrEqual(1_000_000);
  expect(memory.used).toBeLessThan(1_000_000 + PAGE_BYTES);
});

it('counts each byte at the given cost', () => {
  const memory = memoryOf(100);
  new ByteCollector(memory, 2).add(Buffer.alloc(10));
  expect(memory.left).toBe(80);
});

it('keeps nothing of a chunk that does not fit, and releases everything', () => {
  const memory = memoryOf(100_000);
  const collector = new ByteCollector(memory);
  expect(collector.add(Buffer.alloc(60_000))).toBe(true);
  expect(collector.add(Buffer.alloc(60_000))).toBe(false);
  collector.release();
  expect(memory.left).toBe(100_000);
  expect([collector.size, collector.toBuffer().length]).toEqual([0, 0]);
});

it('keeps the bytes counted after drop()', () => {
  const memory = memoryOf(100);
  const collector = new ByteCollector(memory);
  collector.add(Buffer.alloc(10));
  collector.drop();
  expect(memory.left).toBe(90);
});

it.each([
  ['chunks of one byte', 20_000, 20_000, true],
  ['a few chunks of one byte', 10_000, 10_000, false],
  ['many chunks of a usual size', 20_000, 20_000 * 1400, false],
])('judges %s', (_what, chunks, bytes, expected) => {
  expect(isFragmented(chunks, bytes)).toBe(expected);
});
