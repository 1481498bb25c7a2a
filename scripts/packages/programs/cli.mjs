import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { bin, version } = JSON.parse(readFileSync('node_modules/@legate/cli/package.json', 'utf8'));
const program = typeof bin === 'string' ? bin : bin.legate;
const legate = (...args) =>
  execFileSync(process.execPath, [`node_modules/@legate/cli/${program}`, ...args], { encoding: 'utf8' });
assert.match(legate('--help'), /legate/);
process.stdout.write(`legate ${version}: prints its help\n`);
