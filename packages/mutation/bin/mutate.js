#!/usr/bin/env node
// npm run mutate: builds what changed, then looks for faults in the security core that no test notices.
import { build } from '../../dev/bin/build.js';

build(['@legate/mutation']);
const { main } = await import('../dist/main.js');
try {
  process.exitCode = await main(process.argv.slice(2), process.stdout);
} catch (err) {
  process.stderr.write(`${err.message}\n`);
  process.exitCode = 2;
}
