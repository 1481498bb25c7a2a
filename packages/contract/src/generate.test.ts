import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generate, TARGETS } from './generate.js';

const [SCHEMA, IDEMPOTENT, HUB] = TARGETS.map(({ file }) => file);
const DOCUMENT = {
  openapi: '3.1.1',
  info: { title: 'An API', version: '1.0.0' },
  paths: {
    '/sites': {
      post: {
        parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
        responses: { 201: { description: 'The site' } },
      },
    },
    '/me': { get: { responses: { 200: { description: 'The caller' } } } },
  },
  components: {
    parameters: { IdempotencyKey: { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } } },
    schemas: {
      Site: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      SiteWithVersion: {
        allOf: [{ $ref: '#/components/schemas/Site' }],
        type: 'object',
        required: ['version'],
        properties: { version: { type: 'string' } },
      },
    },
  },
};

/** A repository with only the client, as in an image without the console */
let repository: string;
let root: URL;
beforeEach(() => {
  repository = mkdtempSync(`${tmpdir()}/legate-contract-`);
  root = pathToFileURL(`${repository}/packages/contract/`);
  mkdirSync(new URL('documents', root), { recursive: true });
  mkdirSync(new URL('../client/src/management', root), { recursive: true });
  writeDocument(DOCUMENT);
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

const writeDocument = (document: object): void => {
  const text = JSON.stringify(document);
  for (const name of ['management-api', 'tool-hub'])
    writeFileSync(new URL(`documents/${name}.json`, root), text);
};
const read = (file = ''): string => readFileSync(new URL(file, root), 'utf8');

describe('generate', () => {
  it('writes the missing files of each workspace that exists', async () => {
    expect(await generate(root)).toEqual([SCHEMA, IDEMPOTENT]);
    expect(readdirSync(new URL('../client/src/management', root)).sort()).toEqual([
      'idempotent-operations.generated.ts',
      'schema.generated.ts',
    ]);
    mkdirSync(new URL('../../apps/console/web/src/api', root), { recursive: true });
    expect(await generate(root)).toEqual([HUB]);
  });

  it('writes types in which a schema that extends another one is an intersection', async () => {
    await generate(root);
    expect(read(SCHEMA)).toMatch(/version: string;\s+\} & components\["schemas"\]\["Site"\];/);
  });

  it('writes the paths that accept an idempotency key', async () => {
    await generate(root);
    expect(read(IDEMPOTENT)).toContain("new Set([\n  '/sites',\n])");
  });

  it('writes nothing again until a document changes', async () => {
    await generate(root);
    expect(await generate(root)).toEqual([]);
    writeDocument({ ...DOCUMENT, paths: {} });
    expect(await generate(root)).toEqual([SCHEMA, IDEMPOTENT]);
    expect(read(IDEMPOTENT)).toContain('new Set([\n])');
  });
});
