import { expect, it } from '@jest/globals';
import { createLocalWindows } from './local-windows.ts';

const START = 1_790_000_000_000;

function world() {
  let nowMs = START;
  const windows = createLocalWindows({ now: () => nowMs, windowSeconds: 60 });
  return {
    windows,
    pass(seconds: number) {
      nowMs += seconds * 1000;
    },
  };
}

it('counts the requests of each key in a window that begins with its first', () => {
  const { windows, pass } = world();
  windows.consume('a');
  pass(20);
  expect(windows.consume('a')).toEqual({ consumedPoints: 2, msBeforeNext: 40_000 });
  expect(windows.consume('b')).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 });
  expect(windows.find('a')).toEqual({ consumedPoints: 2, msBeforeNext: 40_000 });
});

it('starts again when a window is over', () => {
  const { windows, pass } = world();
  windows.consume('a');
  pass(60);
  expect(windows.find('a')).toBeUndefined();
  expect(windows.consume('a')).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 });
});

it('continues from a given count', () => {
  const { windows, pass } = world();
  windows.set('a', 7, 10);
  expect(windows.consume('a')).toEqual({ consumedPoints: 8, msBeforeNext: 10_000 });
  pass(10);
  expect(windows.find('a')).toBeUndefined();
});

it('keeps running windows while it drops expired ones', () => {
  const { windows, pass } = world();
  windows.consume('over');
  pass(30);
  windows.consume('running');
  pass(31);
  for (let i = 0; i < 2000; i += 1) windows.consume(`key ${i}`);
  expect(windows.find('running')).toEqual({ consumedPoints: 1, msBeforeNext: 29_000 });
  expect(windows.find('key 0')?.consumedPoints).toBe(1);
});
