#!/usr/bin/env node
// In a clone, npm links this file before the build, so `dist/main.js` may be missing.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('legate is not built yet.\nNext: npm run build\n');
  process.exitCode = 2;
}
