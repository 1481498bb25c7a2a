#!/usr/bin/env node
// Writes the OpenAPI documents of the services and the files that are generated from them. The documents are written by
// the tests that compare them, if WRITE_CONTRACT is set.
import { spawnSync } from 'node:child_process';
import { generate } from '../src/generate.js';

const root = new URL('../../../', import.meta.url);
const TESTS = [
  ['apps/management-api', 'src/http/openapi/document.int'],
  ['apps/tool-hub', 'src/faces/openapi/document.int'],
];

for (const [workspace, test] of TESTS) {
  const { status } = spawnSync('npx', ['jest', '--testPathPatterns', test], {
    cwd: new URL(`${workspace}/`, root),
    env: { ...process.env, WRITE_CONTRACT: 'true' },
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
await generate();
