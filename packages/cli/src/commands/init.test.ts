import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { HUB, ISSUER, runTyped } from '../testing/run-typed.ts';

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'legate-init-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
/** Runs `legate init` on a terminal on which the user types these answers. */
async function init(args: readonly string[], answers?: readonly string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => answers?.[asked.push(question) - 1] ?? '';
  const hasTerminal = answers !== undefined;
  const columns = 300; // the paths of temporary folders may be long
  return { ...(await runTyped(['init', ...args], { isTTY: hasTerminal, columns, io: { cwd, ask } })), asked };
}

it.each(['express', 'fastify', 'hono'])('writes the example on %s with a secret of its own', async (name) => {
  const options = ['--kind', 'tool-server', '--framework', name, '--issuer', 'https://idp.example'];
  const { code, stdout, stderr } = await init(['My Server', ...options]);
  expect([code, stderr]).toEqual([0, '']);
  for (const file of ['src/main.ts', 'src/notes.ts', 'tsconfig.json'])
    expect(read(`My Server/${file}`)).toBe(readFileSync(`${EXAMPLES}tool-server-${name}/${file}`, 'utf8'));
  const example = JSON.parse(readFileSync(`${EXAMPLES}tool-server-${name}/package.json`, 'utf8'));
  const { dependencies, devDependencies } = example;
  expect(JSON.parse(read('My Server/package.json'))).toMatchObject({
    name: 'my-server',
    private: true,
    dependencies: { ...dependencies, '@legate/tool-server': '1.2.3' },
    devDependencies: { ...devDependencies, '@legate/cli': '1.2.3' },
  });
  const [, secret = ''] = /^HUB_SECRET=(.{43})$/m.exec(read('My Server/.env')) ?? [];
  expect(read('My Server/.env')).toBe(`PORT=8080\nISSUER=https://idp.example\nHUB_SECRET=${secret}\n`);
  expect(statSync(join(cwd, 'My Server/.env')).mode & 0o777).toBe(0o600);
  expect(read('My Server/.gitignore').split('\n')).toContain('.env');
  expect(stdout + read('My Server/README.md')).not.toContain(secret);
  expect(read('My Server/README.md')).toContain(`notes-on-${name}_create_note`);
  expect(stdout).toMatch(
    /\nNext:\n {2}cd 'My Server'\n {2}CLONE=\S+\n(.+\n)+ {2}npm start\n\nREADME.md .+\n$/,
  );
});

it.each([
  ['tool-server', ['--framework', 'express']],
  ['agent', ['--hub', HUB]],
])('writes the issuer of a new %s as it was typed, byte for byte', async (kind, options) => {
  const issuer = 'https://x.auth0.com/';
  const { stdout } = await init(['--kind', kind, ...options, '--issuer', issuer, '--json']);
  expect(read('.env')).toContain(`\nISSUER=${issuer}\n`);
  expect(JSON.parse(stdout).issuer).toBe(issuer);
});

it.each([
  ['http://localhost:7302', '--issuer http://localhost:7302', false],
  ['https://idp.example', '--issuer http://localhost:4002', true],
])(
  'has ID-JAGs of the development stack tried at a server that trusts %s',
  async (issuer, option, isOther) => {
    await init(['--kind', 'tool-server', '--framework', 'hono', '--issuer', issuer]);
    const readme = read('README.md');
    expect(readme).toContain(`npx legate doctor http://localhost:8080/mcp --redeem ${option}\n`);
    expect(readme.includes('write `ISSUER=http://localhost:4002`')).toBe(isOther);
  },
);

it('sets in the README each variable that a command uses', async () => {
  await init(['--kind', 'tool-server', '--framework', 'hono', '--issuer', ISSUER]);
  for (const [, block = ''] of read('README.md').matchAll(/```sh\n(.*?)```/gs))
    for (const [, name = ''] of block.matchAll(/\$(\w+)/g))
      expect([name, block]).toEqual([name, expect.stringMatching(`\\b${name}=`)]);
});

it('prints next commands that can be pasted into a shell, in a narrow terminal, too', async () => {
  const options = ['--kind', 'tool-server', '--framework', 'hono', '--issuer', ISSUER];
  const { stdout } = await runTyped(['init', '../elsewhere', ...options], {
    isTTY: true,
    columns: 60,
    io: { cwd: join(cwd, 'here') },
  });
  const pasted = stdout.replaceAll(/ \\\n */g, ' ');
  expect(stdout).toContain(' \\\n');
  expect(pasted).toContain(`\n  cd ${join(cwd, 'elsewhere')}\n`);
  expect(pasted).toMatch(
    /\n {2}CLONE=\S+\n {2}npm run -s pack --prefix "\$CLONE" -- packages @legate\/tool-server @/,
  );
});

it('writes the example agent', async () => {
  const { code } = await init(['--kind', 'agent', '--hub', HUB, '--issuer', ISSUER, '--json']);
  expect(code).toBe(0);
  for (const file of ['main.ts', 'model.ts', 'sign-in.ts', 'file-saver.ts'])
    expect(read(`src/${file}`)).toBe(readFileSync(`${EXAMPLES}agent-langgraph/src/${file}`, 'utf8'));
  expect(read('.env')).toBe(`HUB=${HUB}\nISSUER=${ISSUER}\nCLIENT_ID=frontend-app\nAGENT=\n`);
  expect(JSON.parse(read('package.json')).dependencies['@legate/client']).toBe('1.2.3');
  expect(read('README.md')).toContain('@legate/client');
});

it.each<[string, readonly string[], readonly string[], string]>([
  ['a tool server, all by Enter', ['', '', ''], ['tool-server', 'express', ISSUER], 'src/notes.ts'],
  ['an agent', ['agent', '', ''], ['tool-server', HUB, ISSUER], 'src/model.ts'],
])('asks three questions with a default each for %s', async (_case, answers, defaults, file) => {
  const { code, asked } = await init(['new'], answers);
  expect([code, asked.length]).toEqual([0, 3]);
  defaults.forEach((standard, index) => {
    expect(asked[index]).toContain(`(${standard})`);
  });
  expect(existsSync(join(cwd, 'new', file))).toBe(true);
});

it('does not ask what an option says', async () => {
  const { asked } = await init(['new', '--framework', 'hono', '--kind', 'tool-server'], ['']);
  expect(asked).toEqual([expect.stringContaining('identity provider')]);
});

it('writes into a new Git repository', async () => {
  mkdirSync(join(cwd, '.git'));
  expect((await init([], ['', '', ''])).code).toBe(0);
});

it.each<[string, readonly string[], readonly string[] | undefined, RegExp]>([
  [
    'no terminal and a missing answer',
    ['a b', '--kind', 'agent'],
    undefined,
    /Next: legate init 'a b' --kind agent --hub http:\S+ --issuer http:\S+\n$/,
  ],
  ['--json and a missing answer', ['new', '--json'], ['', '', ''], /There is no terminal/],
  ['an unknown answer', ['new'], ['website'], /website is none of tool-server, agent/],
  [
    'an issuer without TLS',
    ['new', '--issuer', 'http://idp.example'],
    ['', ''],
    /must be an https URL[\s\S]*\nNext: legate init --help\n$/,
  ],
  [
    'an issuer on two lines',
    ['new', '--issuer', 'https://idp.example/\nPORT=1'],
    ['', ''],
    /without user name, spaces, query and fragment/,
  ],
  ['a hub for a tool server', ['new', '--hub', HUB], [''], /--hub is for an agent/],
  ['a framework for an agent', ['new', '--framework', 'hono'], ['agent'], /--framework is for a tool server/],
])('exits with 2 for %s, and writes nothing', async (_case, args, answers, message) => {
  const { code, stderr } = await init(args, answers);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect([existsSync(join(cwd, 'new')), existsSync(join(cwd, 'a b'))]).toEqual([false, false]);
});

it('refuses a folder that has files, and a file, before it asks', async () => {
  writeFileSync(join(cwd, 'notes.txt'), '');
  const { code, stderr, asked } = await init([], ['', '', '']);
  expect([code, asked, stderr]).toEqual([2, [], expect.stringContaining('it has notes.txt')]);
  expect((await init(['notes.txt'], [])).stderr).toContain('cannot be used (ENOTDIR)');
  expect(existsSync(join(cwd, '.env'))).toBe(false);
});
