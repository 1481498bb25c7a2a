import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { summarizeProfile } from './profile-summary.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'legate-profile-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

it('sums up working time by function and by package, without waiting and without the profiler', async () => {
  const path = join(directory, 'a.cpuprofile');
  const node = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url, lineNumber: 9 },
  });
  writeFileSync(
    path,
    JSON.stringify({
      nodes: [
        node(1, '(idle)', ''),
        node(2, 'verify', 'file:///repo/packages/jwt/dist/verifier.js'),
        node(3, 'next', 'file:///repo/node_modules/router/index.js'),
        node(4, 'parse', 'file:///repo/node_modules/@scope/name/index.js'),
        node(5, 'end', 'node:_http_outgoing'),
        node(6, 'post', 'node:inspector'),
      ],
      samples: [1, 6, 2, 2, 3, 4, 5],
      timeDeltas: [900, 500, 20, 20, 30, 20, 10],
    }),
  );
  const summary = await summarizeProfile(path);
  expect(summary).toContain(' 40.0 %  packages/jwt\n 30.0 %  router\n 20.0 %  @scope/name\n 10.0 %  node');
  expect(summary).toContain(' 40.0 %  verify packages/jwt/dist/verifier.js:10');
  expect(summary).not.toContain('idle');
});
