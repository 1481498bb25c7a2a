import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { readPrograms } from './blocks.ts';

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

const PROGRAMS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => RUN_ELSEWHERE[path] === undefined && !isPublished(path))
  .flatMap((path) =>
    readPrograms(readFileSync(`${ROOT}${path}`, 'utf8')).map((program) => ({
      ...program,
      path,
      file: `${path.replaceAll('/', '-')}-${program.line}.${program.lang}`,
    })),
  );

/** A folder in the repository, so that the compiler finds what is installed there */
let folder: string;
let faults: readonly string[];

beforeAll(async () => {
  mkdirSync(`${ROOT}node_modules/.cache`, { recursive: true });
  folder = mkdtempSync(`${ROOT}node_modules/.cache/programs-`);
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(TSCONFIG));
  for (const { file, text } of PROGRAMS) writeFileSync(`${folder}/${file}`, `${text}\nexport {};\n`);
  const unknown = compile();
  for (const { file, path, text } of PROGRAMS) {
    const names = new Set(of(file, unknown).flatMap(unknownName));
    const own = await exportsOf(path);
    const declared = [...names].map((name) =>
      own.module !== undefined && own.names.includes(name)
        ? `import { ${name} } from '${own.module}';`
        : `declare const ${name}: any;${/^[A-Z]/.test(name) ? ` type ${name} = any;` : ''}`,
    );
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

/** What the package of a README exports, which its examples need not import */
async function exportsOf(path: string): Promise<{ module?: string; names: readonly string[] }> {
  const [, place] = /^(packages\/[^/]+)\/README\.md$/.exec(path) ?? [];
  if (place === undefined) return { names: [] };
  const { name, exports } = JSON.parse(readFileSync(`${ROOT}${place}/package.json`, 'utf8'));
  if (exports?.['.'] === undefined) return { names: [] };
  return { module: name, names: Object.keys(await import(name)) };
}

it.each(PROGRAMS)('the program in $path, line $line, compiles', ({ file }) => {
  expect(of(file, faults)).toEqual([]);
});

it.each(Object.entries(RUN_ELSEWHERE))('the programs in %s are run by %s', (path, test) => {
  expect(readFileSync(`${ROOT}${test}`, 'utf8')).toContain(path);
});
