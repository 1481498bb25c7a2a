import { writeSync } from 'node:fs';
import { afterAll, it } from '@jest/globals';

afterAll(() => {
  writeSync(2, 'closed\n');
});

it('runs unless it is filtered out', () => {});
