import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEVELOPMENT_CLIENT } from '../identity/development-tokens.ts';
import { CLI, type Plan, templateOf } from './plan.ts';
import { readmeOf } from './readme.ts';

/** Made by `copy-templates.mjs`; equally far from `src/init` and `dist/init` */
const TEMPLATES = fileURLToPath(new URL('../../dist/templates/', import.meta.url));
const SECRET_BYTES = 32;

interface ProjectFile {
  /** Relative to the folder of the project */
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

/** Returns the names of the files that are in the way of a new project. A new Git repository is not. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((err: unknown) => {
    if (Object(err).code === 'ENOENT') return [];
    throw err;
  });
  return names.filter((name) => name !== '.git');
}

/**
 * Writes a project into a folder, and replaces no file.
 * @param version of our packages
 * @returns the paths of the files
 */
export async function writeProject(folder: string, plan: Plan, version: string): Promise<readonly string[]> {
  const files = await filesOf(plan, nameOf(folder, plan), version);
  for (const { path, text, mode = 0o644 } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text, { flag: 'wx', mode });
  }
  return files.map(({ path }) => path);
}

async function filesOf(plan: Plan, name: string, version: string): Promise<ProjectFile[]> {
  const template = join(TEMPLATES, templateOf(plan));
  const read = (path: string) => readFile(join(template, path), 'utf8');
  const sources = (await readdir(join(template, 'src'))).sort().map((file) => `src/${file}`);
  const copied = [...sources, 'tsconfig.json'].map(async (path) => ({ path, text: await read(path) }));
  return [
    { path: 'package.json', text: manifestOf(JSON.parse(await read('manifest.json')), name, version) },
    ...(await Promise.all(copied)),
    { path: '.env', text: environmentOf(plan), mode: 0o600 },
    { path: '.gitignore', text: 'node_modules/\ndist/\n.env\ncheckpoints.json\n' },
    { path: 'README.md', text: readmeOf(plan, name) },
  ];
}

/** Names a package after its folder, in the characters that npm allows. */
function nameOf(folder: string, { kind }: Plan): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  return name || kind;
}

interface Template {
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: object;
}

function manifestOf(
  { engines, dependencies, devDependencies }: Template,
  name: string,
  version: string,
): string {
  const ours = Object.keys(dependencies).filter((each) => each.startsWith('@legate/'));
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines,
    scripts: { build: 'tsc', start: 'npm run -s build && node --env-file=.env dist/main.js' },
    dependencies: { ...dependencies, ...Object.fromEntries(ours.map((each) => [each, version])) },
    devDependencies: { [CLI]: version, ...devDependencies },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function environmentOf(plan: Plan): string {
  const settings =
    plan.kind === 'agent'
      ? { HUB: plan.hub, ISSUER: plan.issuer, CLIENT_ID: DEVELOPMENT_CLIENT, AGENT: '' }
      : {
          PORT: '8080',
          ISSUER: plan.issuer,
          HUB_SECRET: randomBytes(SECRET_BYTES).toString('base64url'),
        };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
