import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const SCRIPTS = new URL('../../../scripts/packages/', import.meta.url);
const PREPACK = fileURLToPath(new URL('../prepack.mjs', SCRIPTS));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-check-packages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Evaluates an expression with a module of the scripts, in a process of its own. */
function evaluate(file: string, expression: string, env: NodeJS.ProcessEnv = {}) {
  const program = `import * as it from ${JSON.stringify(new URL(file, SCRIPTS).href)};
    process.stdout.write(JSON.stringify(await (${expression})));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** The tarball of a package, as a dependency */
function packed(name: string, members: { version: string; [member: string]: unknown }): string {
  const parent = join(folder, 'packages', `${name}-${members.version}`);
  mkdirSync(join(parent, 'package'), { recursive: true });
  writeFileSync(join(parent, 'package/package.json'), JSON.stringify({ name, ...members }));
  execFileSync('tar', ['-czf', `${parent}.tgz`, '-C', parent, 'package']);
  return `file:${parent}.tgz`;
}

const install = (dependencies: object, env?: NodeJS.ProcessEnv) =>
  evaluate(
    'npm-install.mjs',
    `it.install(${JSON.stringify(join(folder, 'project'))}, ${JSON.stringify(dependencies)})
      .catch((error) => ({ isUnreachable: error instanceof it.RegistryUnreachable, message: error.message }))`,
    env,
  );

describe('an installation', () => {
  it('has no fault if everything fits', () => {
    const one = packed('one', { version: '1.0.0', peerDependencies: { two: '^2.0.0' } });
    expect(install({ one, two: packed('two', { version: '2.1.0' }) })).toEqual([]);
  });

  it('has a fault if a peer does not fit', () => {
    const one = packed('one', { version: '1.0.0', peerDependencies: { two: '^2.0.0' } });
    const [fault] = install({ one, two: packed('two', { version: '1.0.0' }) });
    expect(fault).toContain('ERESOLVE');
  });

  it('has a fault if there are two copies of jose', () => {
    const jose = packed('jose', { version: '5.0.0' });
    const other = packed('other', { version: '1.0.0', dependencies: { jose } });
    const [fault] = install({ other, jose: packed('jose', { version: '6.0.0' }) });
    expect(fault).toMatch(/^several copies of jose: /);
    expect(fault).toContain(join('node_modules', 'other', 'node_modules', 'jose'));
  });

  it('is skipped if no registry responds', () => {
    const nowhere = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: join(folder, 'cache') };
    expect(install({ jose: '6.0.0' }, nowhere)).toEqual({ isUnreachable: true, message: 'ECONNREFUSED' });
  });
});

describe('the report', () => {
  const RESULTS = [
    { title: 'one: files', faults: [], printed: '1.0 kB' },
    { title: 'two: files', faults: ['LICENSE is missing'] },
    { title: 'install three', leftOut: 'no registry (ENOTFOUND)' },
  ];

  it('lists skipped checks', () => {
    const { output, errors, numbers } = evaluate(
      'report.mjs',
      `it.summarize(${JSON.stringify(RESULTS)}, false)`,
    );
    expect(output).toBe(
      'one: files: 1.0 kB\n1 checks of packages passed, 1 failed\n' +
        'Left out on this machine:\n  install three: no registry (ENOTFOUND)\n',
    );
    expect([errors, numbers.passed, numbers.failed]).toEqual(['two: files: LICENSE is missing\n', 1, 1]);
  });

  it('fails in CI if a check was skipped', () => {
    const { errors, numbers } = evaluate('report.mjs', `it.summarize(${JSON.stringify(RESULTS)}, true)`);
    expect([numbers.passed, numbers.failed]).toEqual([1, 2]);
    expect(errors).toContain('install three: left out, no registry (ENOTFOUND)');
  });
});

describe('a package with a program', () => {
  it.each([
    ['is packed with an example for a terminal', 'bin.js', '```bash\nsample\n```', ''],
    ['is refused without the program', 'other.js', '```bash\nsample\n```', './bin.js is missing'],
    ['is refused without an example', 'bin.js', 'Run it.', 'README.md has no example'],
  ])('%s', (_case, file, readme, fault) => {
    const manifest = { name: '@legate/sample', version: '0.2.0', bin: { sample: './bin.js' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'README.md'), `# Sample\n\n${readme}\n`);
    writeFileSync(join(folder, file), '');
    const { stderr } = spawnSync(process.execPath, [PREPACK], { cwd: folder, encoding: 'utf8' });
    if (fault) expect(stderr).toContain(fault);
    else expect(stderr).toBe('');
  });
});
