// Plain JavaScript, because it runs before anything is built.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Text of this generator and package.json. When it changes, all generated files are out of date. */
const GENERATOR = `${read('generate.js')}${read('../package.json')}`;

/**
 * @typedef {object} Document
 * @property {Record<string, {post?: {parameters?: {$ref?: string}[]}}>} paths
 *
 * @typedef {object} Target
 * @property {string} document
 * @property {string} file from this package
 * @property {(text: string) => Promise<string>} make makes the TypeScript of the document's text
 */

/** @type {readonly Target[]} */
export const TARGETS = [
  {
    document: 'management-api.json',
    file: '../client/src/management/schema.generated.ts',
    make: typesOf,
  },
  {
    document: 'management-api.json',
    file: '../client/src/management/idempotent-operations.generated.ts',
    make: idempotentOperations,
  },
  {
    document: 'tool-hub.json',
    file: '../../apps/console/web/src/api/hub-schema.generated.ts',
    make: typesOf,
  },
];

/**
 * Writes the files that are missing, or older than their sources. An image has only some of the workspaces, so files of
 * a missing workspace are skipped.
 * @returns {Promise<string[]>} the files that were written, relative to this package
 */
export async function generate(root = new URL('..', import.meta.url)) {
  const written = [];
  for (const { document, file, make } of TARGETS) {
    const url = new URL(file, root);
    if (!existsSync(new URL('.', url))) continue;
    const text = readFileSync(new URL(`documents/${document}`, root), 'utf8');
    const note = `// Made of packages/contract/documents/${document}. Do not edit. ${hash(text)}\n`;
    if (existsSync(url) && readFileSync(url, 'utf8').startsWith(note)) continue;
    replace(url, `${note}\n${await make(text)}`);
    written.push(file);
  }
  return written;
}

const hash = (/** @type {string} */ text) =>
  createHash('sha256').update(GENERATOR).update(text).digest('base64url');

/**
 * Writes a file atomically: another process may read it meanwhile, and must not see half of it.
 * @param {URL} file
 * @param {string} text
 */
function replace(file, text) {
  const unfinished = new URL(`${file.href}.${randomUUID()}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

/** @param {string} text */
async function typesOf(text) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  return astToString(await openapiTS(text));
}

/**
 * Writes the list of paths that accept an idempotency key. The API refuses the header on all other paths, so a client
 * must know the list.
 * @param {string} text
 */
async function idempotentOperations(text) {
  /** @type {Document} */
  const { paths } = JSON.parse(text);
  const found = Object.entries(paths).filter(([, { post }]) =>
    post?.parameters?.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey'),
  );
  const lines = found.map(([path]) => `  '${path}',\n`).join('');
  return `/** Paths whose \`POST\` takes an \`Idempotency-Key\` */\nexport const IDEMPOTENT_PATHS: ReadonlySet<string> = new Set([\n${lines}]);\n`;
}
