import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from '@swc/core';
import { SWC_OPTIONS } from './swc-options.js';

const OPTIONS = { ...SWC_OPTIONS, sourceMaps: true, configFile: false, swcrc: false };
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/legate-tests', import.meta.url));

/**
 * Compiles a TypeScript file to JavaScript, once for each content.
 * @param {string} path absolute
 * @returns the JavaScript, and the file that has its source map
 */
export function compile(path) {
  const source = readFileSync(path, 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([version, OPTIONS, path, source]))
    .digest('hex');
  const [codeFile, mapFile] = [join(CACHE, `${key}.js`), join(CACHE, `${key}.js.map`)];
  const kept = readIfThere(codeFile);
  if (kept !== undefined) return { code: kept, mapFile };

  const { code, map } = transformSync(source, { ...OPTIONS, filename: path });
  mkdirSync(CACHE, { recursive: true });
  writeWhole(mapFile, map);
  writeWhole(codeFile, code); // written last: if the code exists, so does its map
  return { code, mapFile };
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (err) {
    if (err.code === 'ENOENT') return undefined;
    throw err;
  }
}

/** Other test processes may read the file at the same time, and must not see half of it. */
function writeWhole(file, text) {
  const unfinished = join(CACHE, randomUUID());
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
