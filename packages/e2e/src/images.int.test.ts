import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { environmentOf, type ServiceName, urlsOf } from '@legate/dev';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@legate/postgres/embedded';
import { needs } from '@legate/testing';
import { z } from 'zod';
import { assembleImage, type Instruction, readDockerfile, startAndStop } from './image.ts';
import { freeServicePorts } from './stack-under-test.ts';

/**
 * The images' final stages, from the Dockerfile and without a container engine: their contents, and that these are
 * sufficient.
 */

const APPS = ['mock-idp', 'reference-mcp-server', 'tool-hub', 'management-api', 'console'] as const;

const { describe } = needs('night');
let directory: string;
let postgres: EmbeddedPostgres;
let dockerfile: readonly Instruction[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'legate-images-'));
  postgres = await startEmbeddedPostgres();
  dockerfile = await readDockerfile();
});
afterAll(async () => {
  await postgres?.close();
  if (directory) await rm(directory, { recursive: true });
});

/** Paths of all files and links below a folder. */
async function filesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const Manifest = z.object({ files: z.array(z.string()), devDependencies: z.record(z.string(), z.string()) });

async function environment(app: ServiceName): Promise<{ env: Record<string, string>; url: string }> {
  const ports = await freeServicePorts();
  const { host, port } = postgres.ownerConnection;
  const env = environmentOf(app, {
    ports,
    databaseUrl: `postgres://postgres@${host}:${port}/postgres`,
    redisUrl: undefined,
    encryptionKeys: undefined,
    dataDir: '/nonexistent',
    logLevel: 'warn',
  });
  // The embedded server has one session.
  return { env: { ...env, DATABASE_POOL_SIZE: '1' }, url: urlsOf(ports)[app] };
}

describe.each(APPS)('the final stage of %s', (app) => {
  it('contains what the service needs and nothing else, and starts from there', async () => {
    const root = await assembleImage(app, join(directory, app));
    const files = await filesIn(root);

    expect(await readdir(join(root, 'apps'))).toEqual([app]);
    expect(files.filter((file) => /\.[cm]?tsx?$|\.map$|\.(test|spec)\.|\.tsbuildinfo$/.test(file))).toEqual(
      [],
    );
    expect(files.filter((file) => /(^|\/)(\.env|\.npmrc|\.bin)(\/|$)|\.(pem|key)$/.test(file))).toEqual([]);
    const manifest = Manifest.parse(
      JSON.parse(await readFile(join(root, 'apps', app, 'package.json'), 'utf8')),
    );
    // Some are what others need to run.
    const development = Object.keys(manifest.devDependencies).filter((name) => name.startsWith('@types/'));
    const tools = [
      'typescript',
      'turbo',
      'jest',
      '@swc/core',
      '@biomejs/biome',
      '@electric-sql',
      'supertest',
    ];
    expect([...development, ...tools].filter((name) => existsSync(join(root, 'node_modules', name)))).toEqual(
      [],
    );
    const own = files.filter((file) => !file.includes('node_modules/'));
    const known = new RegExp(`^(apps|packages)/[\\w-]+/(package\\.json|(${manifest.files.join('|')})/.+)$`);
    expect(own.filter((file) => !known.test(file))).toEqual([]);

    const { env, url } = await environment(app);
    const start = dockerfile.find(({ keyword }) => keyword === 'CMD')?.rest ?? '[]';
    const [program = '', ...args] = z.array(z.string()).parse(JSON.parse(start));
    const code = await startAndStop({
      cwd: join(root, 'apps', app),
      command: [program, ...args],
      env: { PATH: process.env.PATH ?? '', ...env },
      url,
    });
    expect(code).toBe(0);
  });

  it('is named by the Dockerfile, with the port of the service', () => {
    const own = dockerfile.filter(({ stage }) => stage === app);
    const port = urlsOf({
      'management-api': 4000,
      'tool-hub': 4001,
      'mock-idp': 4002,
      'reference-mcp-server': 4003,
      console: 4004,
    })[app].slice(-4);
    expect(own.map(({ keyword, rest }) => `${keyword} ${rest}`)).toEqual([
      `FROM runtime AS ${app}`,
      `ENV PORT=${port}`,
      `EXPOSE ${port} 9464`,
    ]);
  });
});

describe('the Dockerfile', () => {
  const runtime = () => dockerfile.filter(({ stage }) => stage === 'runtime');
  const of = (keyword: string) =>
    runtime()
      .filter((each) => each.keyword === keyword)
      .map(({ rest }) => rest);

  it('copies into the final stage only what was collected', () => {
    expect([...of('COPY'), ...of('ADD')]).toEqual([
      '--from=dependencies /out /app',
      '--from=built /out /app',
    ]);
    expect(dockerfile.at(-1)).toEqual({ stage: 'final', keyword: 'FROM', rest: '$' + '{APP}' });
  });

  it('runs the service as a numbered user who is not root, and without a shell', () => {
    expect(of('USER')).toEqual(['1000:1000']);
    expect(of('CMD')).toEqual(['["node", "dist/main.js"]']);
    expect(of('HEALTHCHECK')).toEqual([expect.stringMatching(/CMD \["node", "-e", ".*AbortSignal\.timeout/)]);
    expect(of('ENV').join(' ')).toContain('NODE_ENV=production');
  });

  it('takes the base image by tag from one argument', () => {
    expect(dockerfile[0]).toEqual({
      stage: '',
      keyword: 'ARG',
      rest: expect.stringMatching(/^NODE_IMAGE=node:\d+-slim$/),
    });
    const bases = dockerfile.filter(
      ({ keyword, stage }) => keyword === 'FROM' && !APPS.some((app) => app === stage),
    );
    expect(bases.filter(({ rest }) => !/^\$\{(NODE_IMAGE\} AS \w+|APP\})$/.test(rest))).toEqual([]);
  });
});
