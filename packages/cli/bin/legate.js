#!/usr/bin/env node
// This file exists before the build, so that npm can link it in a clone.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write('legate is not built yet.\nNext: npm run build\n');
  process.exitCode = 2;
}
