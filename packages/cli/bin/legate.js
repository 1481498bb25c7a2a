#!/usr/bin/env node
// In a clone this file is there before the build.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('legate is not built yet.\nNext: npm run build\n');
  process.exitCode = 2;
}
