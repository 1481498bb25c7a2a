import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { readCode, readPage } from './blocks.ts';

/** Programs that other tests run, as they are printed */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/how-to/agent-frameworks.md': 'packages/e2e/src/client/frameworks.int.test.ts',
};
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noImplicitAny: false, noEmit: true, skipLibCheck: true, jsx: 'react-jsx' },
    ...{ module: 'nodenext', moduleResolution: 'nodenext', target: 'es2023' },
    ...{ lib: ['es2023'], types: ['node'] },
  },
  include: ['*.ts', '*.tsx'],
};
/** `npm run check:packages` compiles these with the packages as they are installed. */
function isPublished(path: string): boolean {
  const [, folder] = /^(packages\/[^/]+)\/README\.md$/.exec(path) ?? [];
  return folder !== undefined && !JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8')).private;
}
const UNKNOWN_NAME =
  /^(\S+)\(\d+,\d+\): error TS(?:2304|2552|18004): .*?'(\w+)'|^(\S+)\(.*shorthand property '(\w+)'/;

const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
const PROGRAMS = DOCUMENTS.filter((path) => RUN_ELSEWHERE[path] === undefined && !isPublished(path)).flatMap(
  (path) =>
    readCode(readFileSync(`${ROOT}${path}`, 'utf8'), ['ts', 'tsx']).map((program) => ({
      ...program,
      path,
      file: `${path.replaceAll('/', '-')}-${program.line}.${program.lang}`,
    })),
);

/** What examples use without saying where it comes from: values of the program that they are a part of. */
const OF_THE_READER: ReadonlySet<string> = new Set([
  ...['app', 'authenticate', 'form', 'handlerOf', 'replayed', 'req', 'res', 'router', 'subjectOf'],
  ...[
    'backend',
    'clock',
    'config',
    'conventions',
    'health',
    'keys',
    'log',
    'metrics',
    'ports',
    'redis',
    'url',
  ],
  ...['callId', 'claims', 'clientId', 'identity', 'issuer', 'organizationId', 'redirect_uri', 'workloads'],
  ...['Site', 'items', 'record', 'total', 'values'],
  ...['close', 'createApp', 'findClient', 'listEvents', 'onError'],
]);

/** A program that calls what nothing exports */
const BROKEN = {
  path: 'packages/rate-limit/README.md',
  file: 'broken.ts',
  text: 'createRateLimiters({ redis, clock });',
};

/** A folder in the repository, so that the compiler finds what is installed there */
let folder: string;
let faults: readonly string[];

beforeAll(async () => {
  mkdirSync(`${ROOT}node_modules/.cache`, { recursive: true });
  folder = mkdtempSync(`${ROOT}node_modules/.cache/programs-`);
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(TSCONFIG));
  const programs = [...PROGRAMS, BROKEN];
  for (const { file, text } of programs) writeFileSync(`${folder}/${file}`, `${text}\nexport {};\n`);
  const unknown = compile();
  for (const { file, path, text } of programs) {
    const names = new Set(of(file, unknown).flatMap(unknownName));
    const [exported, words] = [await exportsOf(path), wordsOf(path)];
    const declared = [...names].flatMap((name) => {
      const module = exported.get(name);
      if (module !== undefined) return [`import { ${name} } from '${module}';`];
      return OF_THE_READER.has(name) || words.has(name) ? [`declare const ${name}: any;`] : [];
    });
    writeFileSync(`${folder}/${file}`, `${text}\n${declared.join('\n')}\nexport {};\n`);
  }
  faults = compile();
});
afterAll(() => rmSync(folder, { recursive: true }));

function compile(): string[] {
  const compiler = `${ROOT}node_modules/.bin/tsc`;
  const { stdout } = spawnSync(compiler, ['-p', '.', '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /error TS\d/.test(line));
}
const of = (file: string, lines: readonly string[]) => lines.filter((line) => line.startsWith(`${file}(`));

/** A name that an example uses without saying where it comes from, as examples may */
function unknownName(line: string): string[] {
  const [, , name, , shorthand] = UNKNOWN_NAME.exec(line) ?? [];
  return [name ?? shorthand ?? []].flat();
}

/** What the package of a README exports, which its examples need not import, with the module of each name */
async function exportsOf(path: string): Promise<ReadonlyMap<string, string>> {
  const [, place] = /^(packages\/[^/]+)\/README\.md$/.exec(path) ?? [];
  if (place === undefined) return new Map();
  const { name, exports } = JSON.parse(readFileSync(`${ROOT}${place}/package.json`, 'utf8'));
  const found = new Map<string, string>();
  for (const entry of Object.keys(exports ?? {})) {
    const module = join(name, entry);
    for (const exported of Object.keys(await import(module))) found.set(exported, module);
  }
  return found;
}

/** The words in the code of the console, whose README shows a page as it is written there */
function wordsOf(path: string): ReadonlySet<string> {
  if (path !== 'apps/console/web/README.md') return new Set();
  const code = execFileSync('git', ['grep', '-hwoE', '[A-Za-z]+', '--', 'apps/console/web/src'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return new Set(code.split('\n'));
}

it.each(PROGRAMS)('the program in $path, line $line, compiles', ({ file }) => {
  expect(of(file, faults)).toEqual([]);
});

it('has no program in JavaScript that nothing runs', () => {
  const lost = DOCUMENTS.flatMap((path) => {
    const text = readFileSync(`${ROOT}${path}`, 'utf8');
    const programs = readCode(text, ['js', 'javascript', 'mjs', 'cjs', 'jsx']);
    const run = programs.length > 0 ? readPage(path, text).blocks.map(({ line }) => line) : [];
    return programs.filter(({ line }) => !run.includes(line)).map(({ line }) => `${path}:${line}`);
  });
  expect(lost).toEqual([]);
});

it('detects a name that nothing exports', () => {
  expect(of(BROKEN.file, faults)).toEqual([expect.stringContaining("Cannot find name 'createRateLimiters'")]);
});

it.each(Object.entries(RUN_ELSEWHERE))('the programs in %s are run by %s', (path, test) => {
  expect(readFileSync(`${ROOT}${test}`, 'utf8')).toContain(path);
});
