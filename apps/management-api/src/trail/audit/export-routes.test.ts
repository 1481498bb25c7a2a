import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { exportOperation } from './export-routes.ts';

it('releases the slot of a client that has disconnected before its export begins', async () => {
  const [oneAtATime] = exportOperation({
    exportTrail: () => {
      throw new Error('not reached');
    },
    plan: { count: () => Promise.reject(new Error('not reached')) },
  }).guards;
  const locals = { admission: { organization: { id: 'org_acme' } } };
  // `close` was emitted while the request was admitted.
  const gone = { locals, destroyed: true, once: () => gone } as unknown as Response;
  for (const attempt of [1, 2]) {
    const passed: unknown[] = [];
    await oneAtATime?.({} as Request, gone, () => passed.push(attempt));
    expect(passed).toEqual([attempt]);
  }
});
