// The examples of the READMEs, compiled as in a project of the reader; those marked `ts run` are run.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultOf } from './checks.mjs';
import { install, RegistryUnreachable, withTarballs } from './npm-install.mjs';
import { root } from './published.mjs';

/** What the examples import besides our packages, as our lock file has it */
const IMPORTED = [
  ...[
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/node',
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
  ],
  ...['express', 'fastify', 'hono', 'ioredis', 'zod', '@types/express', '@types/node'],
];
/** Ours, which checks the types of all packages too, and the one of those who are not there yet */
const COMPILERS = [
  { name: 'typescript', version: '7.0.2', options: ['--skipLibCheck', 'false'] },
  { name: 'typescript5', version: '5.9.3', options: [] },
];
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, module: 'nodenext', moduleResolution: 'nodenext', target: 'es2023' },
    ...{ types: ['node'], rootDir: '.', outDir: 'out', skipLibCheck: true },
  },
  include: ['*.ts'],
};
const PROGRAMS = fileURLToPath(new URL('programs', import.meta.url));

/** Installs what the examples need, compiles them, and runs those that can be run. */
export async function checkExamples(packages, work) {
  const title = 'install what the examples need';
  const folder = join(work, 'examples');
  try {
    const faults = await install(folder, dependenciesOf(packages));
    if (faults.length > 0) return [{ title, faults }];
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error;
    return [{ title, leftOut: `no registry (${error.message})` }];
  }
  const examples = [...packages.values()].flatMap(examplesOf);
  for (const { file, text } of examples) writeFileSync(join(folder, file), text);
  writeFileSync(join(folder, 'my-mcp-server.ts'), MCP_SERVER);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  cpSync(PROGRAMS, folder, { recursive: true });
  const results = [{ title, faults: [] }];
  for (const compiler of COMPILERS) results.push(await compile(folder, compiler, examples.length));
  for (const { file, title } of examples.filter(({ isRun }) => isRun)) {
    const args = ['run-example.mjs', `out/${file.replace(/ts$/, 'js')}`];
    const faults = await faultOf(process.execPath, args, { cwd: folder, timeout: 60_000 });
    results.push({ title: `${title} runs`, faults });
  }
  return results;
}

async function compile(folder, { name, version, options }, count) {
  const compiler = join(folder, 'node_modules', name, 'bin/tsc');
  const faults = await faultOf(process.execPath, [compiler, '-p', folder, ...options]);
  return { title: `TypeScript ${version}`, faults, printed: `${count} examples of READMEs compile` };
}

function dependenciesOf(packages) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const versions = IMPORTED.map((name) => [name, lock[`node_modules/${name}`].version]);
  return Object.assign(
    Object.fromEntries(versions),
    Object.fromEntries(COMPILERS.map(({ name, version }) => [name, `npm:typescript@${version}`])),
    ...[...packages.keys()].map((name) => withTarballs(name, packages)),
  );
}

function examplesOf({ folder, manifest }) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const name = manifest.name.split('/')[1];
  return [...readme.matchAll(/^```ts( run)?\n(.*?)^```/gms)].map(([, run, text], index) => ({
    title: `example ${index + 1} of ${manifest.name}`,
    file: `${name}-${index + 1}.ts`,
    text,
    isRun: run !== undefined,
  }));
}

const MCP_SERVER = `
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
export const mcp = createMcpHandler(() => new McpServer({ name: 'notes', version: '1' }));
`;
