export const START = new Date('2026-08-01T12:00:00Z');

export interface TestClock {
  (): Date;
  advanceSeconds(seconds: number): void;
}

/** A stopped clock that tests advance. */
export function createTestClock(): TestClock {
  let nowMs = START.getTime();
  const clock = () => new Date(nowMs);
  return Object.assign(clock, {
    advanceSeconds(seconds: number) {
      nowMs += seconds * 1000;
    },
  });
}
