#!/usr/bin/env node
// Fails where the compressed pages exceed their size limits. Reads Vite's manifest to find what Home and each
// lazy page load.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const KB = 1000;
const FIRST_LOAD = { all: 200 * KB, js: 175 * KB, css: 15 * KB };
const LAZY_PAGE = 40 * KB;
const HOME = 'src/pages/home/page.tsx';

const dist = join(import.meta.dirname, '../dist/web');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const sizes = new Map();

const faults = [...checkFirstLoad(), ...checkPages()];
for (const fault of faults) process.stderr.write(`console:budget: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Checks the first load: the document and its own files, Home, and everything that these import. */
function checkFirstLoad() {
  const files = new Set(['index.html', 'theme.js', 'layers.css', ...filesOf('index.html'), ...filesOf(HOME)]);
  const sum = (ending) => total([...files].filter((file) => file.endsWith(ending)));
  const found = { all: sum(''), js: sum('.js'), css: sum('.css') };
  process.stdout.write(
    `console:budget: first load ${kb(found.all)} (JavaScript ${kb(found.js)}, CSS ${kb(found.css)})\n`,
  );
  return Object.entries(FIRST_LOAD)
    .filter(([kind, most]) => found[kind] > most)
    .map(([kind, most]) => `the first load has ${kb(found[kind])} of ${kind}; at most ${kb(most)}`);
}

/** Checks what each lazy page loads beyond the first load. */
function checkPages() {
  const loaded = new Set(filesOf('index.html'));
  return Object.keys(manifest)
    .filter((source) => source !== HOME && manifest[source].isDynamicEntry)
    .map((source) => [source, total(filesOf(source).filter((file) => !loaded.has(file)))])
    .filter(([, size]) => size > LAZY_PAGE)
    .map(([source, size]) => `${source} loads ${kb(size)}; at most ${kb(LAZY_PAGE)}`);
}

/** Returns the files of a chunk and of everything that it imports statically. */
function filesOf(source, seen = new Set()) {
  if (seen.has(source)) return [];
  seen.add(source);
  const { file, css = [], imports = [] } = manifest[source];
  const own = file.endsWith('.html') ? css : [file, ...css];
  return [...new Set([...own, ...imports.flatMap((each) => filesOf(each, seen))])];
}

function total(files) {
  return files.reduce((sum, file) => sum + compressed(file), 0);
}

function compressed(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file))).length);
  return sizes.get(file);
}

function kb(bytes) {
  return `${(bytes / KB).toFixed(1)} kB`;
}
