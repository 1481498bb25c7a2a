import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SCRIPTS = `${ROOT}scripts/release/`;

/** A copy of what names the version and the address, as a repository of its own in which everything is committed. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-release-'));
  for (const name of ['package.json', 'CHANGELOG.md', 'infra', 'docs/operations'])
    cpSync(`${ROOT}${name}`, join(folder, name), { recursive: true });
  for (const place of ['apps', 'packages', 'examples'])
    for (const name of readdirSync(ROOT + place))
      if (existsSync(`${ROOT}${place}/${name}/package.json`))
        cpSync(`${ROOT}${place}/${name}/package.json`, join(folder, place, name, 'package.json'));
  edit('CHANGELOG.md', (text) => text.replace('] - unreleased', '] - 2026-12-01'));
  run('repository.mjs', 'https://github.com/acme/Legate');
  git('init', '--quiet');
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')));
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const commit = () => {
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@acme.example', 'commit', '--quiet', '--message', 'all');
};
function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPTS + script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
function addChangeset() {
  mkdirSync(join(folder, '.changeset'));
  writeFileSync(join(folder, '.changeset/quick-owls.md'), '');
}
function obstacles(): string[] {
  const program = `import { findObstacles } from ${JSON.stringify(`${SCRIPTS}obstacles.mjs`)};
    process.stdout.write(JSON.stringify(findObstacles(${JSON.stringify(folder)})));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  );
}

describe('the version and the address', () => {
  it('are the same everywhere in this repository', () => {
    const { status, stderr } = spawnSync(process.execPath, [`${SCRIPTS}check-places.mjs`], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.each([
    ['apps/tool-hub/package.json', /("version": ")[^"]*/],
    ['examples/tool-server-hono/package.json', /("@legate\/tool-server": ")[^"]*/],
    ['infra/docker/Dockerfile', /(\nARG VERSION=).*/],
    ['infra/kubernetes/base/tool-hub/deployment.yaml', /(image: legate\/tool-hub:).*/],
    ['infra/kubernetes/overlays/production/images/kustomization.yaml', /(newTag: ).*/],
    ['docs/operations/containers.md', /(legate\/tool-hub:)[\d.]+/],
  ])('finds another version in %s', (path, place) => {
    edit(path, (text) => text.replace(place, '$19.9.9'));
    const { status, stderr } = run('check-places.mjs');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/: version 9\.9\.9, and package\.json has/)]);
    expect(stderr).toContain(path);
  });

  it('are written to every package that is published, with its folder', () => {
    expect(run('check-places.mjs')).toMatchObject({ status: 0 });
    expect(JSON.parse(readFileSync(join(folder, 'packages/jwt/package.json'), 'utf8'))).toMatchObject({
      homepage: 'https://github.com/acme/Legate/tree/main/packages/jwt#readme',
      bugs: 'https://github.com/acme/Legate/issues',
      repository: { type: 'git', url: 'git+https://github.com/acme/Legate.git', directory: 'packages/jwt' },
    });
    edit('packages/ids/package.json', (text) => text.replace('"packages/ids"', '"packages/id"'));
    expect(run('check-places.mjs').stderr).toContain('packages/ids/package.json: repository does not fit');
  });

  it.each(['', 'github.com/acme/legate', 'http://github.com/acme/legate', 'https://github.com'])(
    'are not written from "%s"',
    (address) => {
      expect(run('repository.mjs', address).status).toBe(2);
      expect(git('status', '--porcelain')).toBe('');
    },
  );
});

describe('a release', () => {
  it('has no obstacle with an address, a date, one version and nothing left to commit', () => {
    expect(obstacles()).toEqual([]);
  });

  it.each<[string, () => void, string]>([
    [
      'the address is an example',
      () => run('repository.mjs', 'https://git.example/a/b'),
      'no public address',
    ],
    [
      'the version has no date',
      () => edit('CHANGELOG.md', (text) => text.replace('2026-12-01', 'unreleased')),
      'no heading',
    ],
    ['a file is not committed', () => writeFileSync(join(folder, 'new'), ''), 'not committed'],
    ['a change is in no version', () => addChangeset(), 'quick-owls.md'],
    [
      'a version differs',
      () => edit('apps/console/package.json', (text) => text.replace('0.1.0', '0.1.1')),
      'version 0.1.1',
    ],
  ])('has one if %s', (_case, change, obstacle) => {
    change();
    expect(obstacles().join('\n')).toContain(obstacle);
  });

  it('takes its notes from CHANGELOG.md, with links that work elsewhere', () => {
    edit(
      'CHANGELOG.md',
      () =>
        '# Changelog\n\n## [0.1.0] - 2026-12-01\n\n- [One](docs/one.md#a)\n\n## [0.0.9] - 2026-11-01\n\nOld\n',
    );
    expect(run('notes.mjs', '0.1.0').stdout).toBe(
      '- [One](https://github.com/acme/Legate/blob/v0.1.0/docs/one.md#a)\n',
    );
    expect(run('notes.mjs', '0.1.1')).toMatchObject({ status: 1, stdout: '' });
  });

  it('is published by nobody who forgets --dry-run', () => {
    expect(run('release.mjs')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('publishes'),
    });
  });
});
