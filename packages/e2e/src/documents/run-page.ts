import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { machineEnvironment, ROOT } from '@legate/dev';
import { seedDataDir } from '@legate/postgres/testing';
import { findFreePort } from '@legate/service/testing';
import type { Page } from './blocks.ts';
import { type Cast, castOf } from './cast.ts';
import { difference } from './compare.ts';
import { type Step, stepsOf } from './steps.ts';

const PRELUDE = readFileSync(new URL('prelude.sh', import.meta.url), 'utf8');
const SIGN_IN = fileURLToPath(new URL('sign-in.mjs', import.meta.url));
const MIGRATIONS = `${ROOT}apps/management-api/migrations`;
const TIMEOUT_MS = 240_000;

/** Addresses in a document, such as `localhost:4001`, with those of the stack */
export type Addresses = Readonly<Record<string, string>>;

/** A step of a document failed, or its output differs from the document. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault';
}

/**
 * Runs the commands of documents in one shell, in a folder that looks like a clone of the repository.
 * @param pages the last one is tested, and the others prepare it
 * @throws {DocumentFault} naming file, line, command, and what to do
 */
export async function runPages(pages: readonly Page[], stack: Addresses, cast: Cast): Promise<void> {
  const steps = pages.flatMap(stepsOf);
  for (const step of steps) {
    const [outside] = /https?:\/\/(?!localhost|127\.0\.0\.1|\[::1\]|\$)[^\s'"]+/.exec(step.command) ?? [];
    if (outside) throw fault(step, `names ${outside}, and tests reach nothing but this machine`);
  }
  const ports = [...new Set(steps.flatMap(({ block }) => block.mark.background ?? []))];
  const free = new Map<number, number>();
  for (const port of ports) free.set(port, await findFreePort());
  const own = [...free].map(
    ([documented, port]) => [`localhost:${documented}`, `localhost:${port}`] as const,
  );
  const addresses = { ...stack, ...Object.fromEntries(own) };
  // A hub or a provider that the document starts has only the people of the development scene.
  const { toStack: recast, toDocument: castBack } = free.has(4001) || free.has(4002) ? castOf('') : cast;
  const toStack = (text: string) => recast(replaceAll(text, addresses));
  const toDocument = (text: string) => castBack(replaceAll(text, swapped(addresses)));

  const folder = mkdtempSync(join(tmpdir(), 'legate-document-'));
  try {
    const clone = asClone(folder);
    for (const { text, mark } of pages.flatMap(({ blocks }) => blocks))
      if (mark.file !== undefined) writeFileSync(join(clone, mark.file), withPorts(toStack(text), free));
    const outputs = join(folder, 'outputs');
    mkdirSync(outputs);
    if (free.has(4000))
      await seedDataDir({ migrations: MIGRATIONS, dataDir: dataDirOf(folder, free.get(4000)) });
    const script = scriptOf(steps, free, toStack, stack, folder);
    await runScript(script, clone, outputs, forCommandLine(stack, toStack));
    for (const [number, step] of steps.entries()) {
      const written = toDocument(readIfThere(`${outputs}/${number}.out`));
      if (!existsSync(`${outputs}/${number}.done`))
        throw fault(step, `did not run:\n${written}${toDocument(readIfThere(`${outputs}/${number}.err`))}`);
      const differs = shownBy(step) === undefined ? undefined : difference(shownBy(step) ?? '', written);
      if (differs) throw fault(step, `writes something else than the document shows. ${differs}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A terminal shows the typed input. */
const shownBy = ({ expected, block }: Step): string | undefined =>
  block.mark.stdin === undefined ? expected : expected?.replace(` ${block.mark.stdin}\n`, ' ');

const swapped = (addresses: Addresses): Addresses =>
  Object.fromEntries(Object.entries(addresses).map(([documented, actual]) => [actual, documented]));

function replaceAll(text: string, addresses: Addresses): string {
  return Object.entries(addresses).reduce(
    (done, [from, to]) => done.replaceAll(new RegExp(`${from}\\b`, 'g'), to),
    text,
  );
}

/** A program of a tutorial names its port also as a number. */
const withPorts = (text: string, free: ReadonlyMap<number, number>): string =>
  [...free].reduce((done, [from, to]) => done.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), String(to)), text);

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** A folder with the entries of the repository, in which documents may leave files. */
function asClone(folder: string): string {
  const clone = join(folder, 'legate');
  mkdirSync(clone);
  for (const entry of readdirSync(ROOT))
    if (!['.git', '.legate'].includes(entry)) symlinkSync(join(ROOT, entry), join(clone, entry));
  return clone;
}

function fault({ path, line, command }: Step, what: string): DocumentFault {
  return new DocumentFault(
    `${path}:${line} ${what}\n\n$ ${command}\n\nThe sh, bash and console blocks of the documents are run against a stack. ` +
      'Fix the block. If it cannot run here, write in the line above it why, and what it needs: ' +
      '<!-- doctest: skip reason="docker" -->, or one of the other marks in packages/e2e/README.md#documents.',
  );
}

const dataDirOf = (folder: string, port: number | undefined): string => join(folder, `data-${port}`);

/** Settings of a service that a document starts, because their defaults are addresses that the stack replaces. */
function settingsFor(documented: number, port: number, stack: Addresses, folder: string): string {
  const url = (at: number) => `http://${stack[`localhost:${at}`] ?? `localhost:${port}`}`;
  const own = `http://localhost:${port}`;
  return Object.entries({
    PORT: port,
    PUBLIC_URL: own,
    RESOURCE: url(documented), // tokens are issued for the stack's URL
    IDP_ISSUER: documented === 4002 ? own : url(4002),
    IDP_URL: url(4002),
    ISSUER: url(4002),
    ...(documented !== 4001 && { MANAGEMENT_API_URL: url(4000) }), // otherwise a hub accepts no file with connectors
    // otherwise the API and the tool server require a client at the hub
    ...(![4000, 4003].includes(documented) && { TOOL_HUB_URL: url(4001) }),
    REFERENCE_MCP_SERVER_URL: url(4003),
    DATABASE_URL: pathToFileURL(dataDirOf(folder, port)).href,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

function scriptOf(
  steps: readonly Step[],
  free: ReadonlyMap<number, number>,
  toStack: (text: string) => string,
  stack: Addresses,
  folder: string,
): string {
  const lines = [replaceAll(PRELUDE, stack)];
  for (const [number, { command, block }] of steps.entries()) {
    const { background, refused, stdin, until } = block.mark;
    const isFirst = steps[number - 1]?.block !== block;
    lines.push(`doctest_begin ${number} '${refused ? 'refused' : ''}' ${isFirst ? 'first' : ''}`);
    if (until !== undefined) lines.push(`doctest_until ${quoted(toStack(until))}`);
    const text = toStack(command);
    const port = background === undefined ? undefined : free.get(background);
    if (port !== undefined) {
      lines.push(`(\nexport ${settingsFor(background ?? 0, port, stack, folder)}\n${text}\n) & disown`);
      lines.push(`doctest_until 'command curl -so /dev/null http://localhost:${port}/'`);
    } else if (stdin !== undefined) lines.push(`{\n${text}\n} <<<${quoted(stdin)}`);
    else lines.push(text);
    lines.push(`doctest_end ${steps[number + 1]?.block === block ? '' : 'last'}`);
  }
  return lines.join('\n');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Configures `legate` to use the stack, as the Alice of the document. */
function forCommandLine(stack: Addresses, toStack: (text: string) => string): NodeJS.ProcessEnv {
  const portOf = (documented: number) => stack[`localhost:${documented}`]?.split(':').at(-1);
  return {
    MANAGEMENT_API_PORT: portOf(4000),
    TOOL_HUB_PORT: portOf(4001),
    MOCK_IDP_PORT: portOf(4002),
    LEGATE_USER: toStack('alice@acme.example'),
  };
}

/** Runs a command in a process group that ends with it, and without access to other machines. */
async function runScript(
  script: string,
  clone: string,
  outputs: string,
  settings: NodeJS.ProcessEnv,
): Promise<void> {
  writeFileSync(`${outputs}/script`, script);
  const nowhere = 'http://127.0.0.1:9';
  const shell = spawn('bash', [`${outputs}/script`], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...machineEnvironment(),
      HOME: clone,
      DOCTEST_FOLDER: outputs,
      DOCTEST_SIGN_IN: SIGN_IN,
      http_proxy: nowhere,
      https_proxy: nowhere,
      no_proxy: 'localhost,127.0.0.1,::1',
      ...settings,
    },
  });
  const endGroup = () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch {
      // the process has already ended
    }
  };
  const timer = setTimeout(endGroup, TIMEOUT_MS);
  await once(shell, 'exit');
  clearTimeout(timer);
  endGroup();
}
