// What is installed by people who use the packages, and on which versions of Node.js it is tried.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, RegistryUnreachable, withTarballs } from './npm-install.mjs';
import { run } from './published.mjs';

const PROGRAMS = fileURLToPath(new URL('programs', import.meta.url));

/** Exact versions, so that a release of somebody else fails no change of ours. `nodes`: major versions, besides the running one */
const PROJECTS = [
  {
    name: 'Express 4',
    of: 'tool-server',
    with: { express: '4.21.2' },
    program: 'express.mjs',
    nodes: ['running', '24'],
  },
  {
    name: 'Express 5',
    of: 'tool-server',
    with: { express: '5.3.0' },
    program: 'express.mjs',
    nodes: ['running', '24'],
  },
  { name: 'node:http', of: 'tool-server', with: {}, program: 'node-http.mjs', nodes: ['running'] },
  {
    name: 'Fastify 5',
    of: 'tool-server',
    with: { fastify: '5.12.8' },
    program: 'fastify.mjs',
    nodes: ['22'],
  },
  {
    name: 'Hono 4',
    of: 'tool-server',
    with: { hono: '4.13.19', '@hono/node-server': '2.1.8' },
    program: 'hono.mjs',
    nodes: ['22'],
  },
  { name: 'AI SDK 6', of: 'client', with: { ai: '6.0.326' }, program: 'ai-sdk.mjs', nodes: ['running'] },
  { name: 'AI SDK 7', of: 'client', with: { ai: '7.0.173' }, program: 'ai-sdk.mjs', nodes: ['22', '24'] },
  {
    name: 'OpenAI Agents',
    of: 'client',
    with: { '@openai/agents': '0.20.0' },
    program: 'openai-agents.mjs',
    nodes: ['22'],
  },
  {
    name: 'LangGraph',
    of: 'client',
    with: { '@langchain/core': '1.4.0', '@langchain/langgraph': '1.7.3' },
    program: 'langgraph.mjs',
    nodes: ['24'],
  },
  { name: 'command line', of: 'cli', with: {}, program: 'cli.mjs', nodes: ['running', '24'] },
];

/** Tasks, one for each project of the packages that there are; each gives results. */
export function projectTasks(packages, work, nodes) {
  return PROJECTS.filter(({ of }) => packages.has(`@legate/${of}`)).map((project) => async () => {
    const folder = join(work, 'projects', project.name.replace(/\W+/g, '-'));
    const title = `install ${project.name}`;
    try {
      const dependencies = { ...withTarballs(`@legate/${project.of}`, packages), ...project.with };
      const faults = await install(folder, dependencies);
      if (faults.length > 0) return [{ title, faults }];
      cpSync(PROGRAMS, folder, { recursive: true });
      const tried = [];
      for (const major of project.nodes) tried.push(await tryOn(await nodes(major), folder, project));
      return [{ title, faults: [] }, ...tried];
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      return [{ title, leftOut: `no registry (${error.message})` }];
    }
  });
}

async function tryOn(node, folder, { name, program }) {
  const { stdout: version } = await run(node, ['--version']);
  const title = `${name} on Node.js ${version.trim().slice(1)}`;
  try {
    const { stdout } = await run(node, [program], { cwd: folder, timeout: 60_000 });
    return { title, faults: [], printed: stdout.trim() };
  } catch (error) {
    return { title, faults: [`${error.stdout ?? ''}${error.stderr ?? error}`] };
  }
}

/**
 * Finds binaries of other versions of Node.js: in a folder where they are installed, or as packages of npm that hold the
 * binary and nothing else, so that no install script has to run.
 * @param given the folder, if there is one
 */
export function createNodes(work, given) {
  const binaryIn = (folder, major) => join(folder, 'node_modules', `node${major}`, 'bin/node');
  let installed;
  return async (major) => {
    if (major === 'running') return process.execPath;
    if (given && existsSync(binaryIn(given, major))) return binaryIn(given, major);
    const folder = join(work, 'nodes');
    const name = `node-${process.platform}-${process.arch}`;
    installed ??= install(folder, { node22: `npm:${name}@22`, node24: `npm:${name}@24` });
    const [fault] = await installed;
    if (fault) throw new Error(fault);
    return binaryIn(folder, major);
  };
}
