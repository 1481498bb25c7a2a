import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CHECK = `${ROOT}scripts/release/check-changesets.mjs`;
const VERSION = `${ROOT}scripts/release/version-packages.mjs`;
const CHANGESET = "---\n'@legate/ids': minor\n---\n\n`@legate/ids`: ids may be\nshorter.\n";
const CHANGELOG = `# Changelog

## [Unreleased]

### Changed

- \`@legate/ids\`: ids may be shorter. Longer ones stay.

## [0.2.0] - 2026-11-30

### Added

- \`@legate/ids\`: an entry of before.
`;
/** The workspaces, by folder */
type Manifests = Record<string, { name: string; version: string; private?: boolean; dependencies?: object }>;

/** A copy of this repository's manifests, without any other files. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-changesets-'));
  cpSync(`${ROOT}package.json`, join(folder, 'package.json'));
  cpSync(`${ROOT}.changeset/config.json`, join(folder, '.changeset/config.json'));
  for (const place of ['apps', 'packages'])
    for (const name of readdirSync(ROOT + place)) {
      mkdirSync(join(folder, place, name), { recursive: true });
      cpSync(`${ROOT}${place}/${name}/package.json`, join(folder, place, name, 'package.json'));
    }
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
});
afterEach(() => rmSync(folder, { recursive: true }));

function manifests(): Manifests {
  const found: Manifests = {};
  for (const place of ['apps', 'packages'])
    for (const name of readdirSync(join(folder, place)))
      found[`${place}/${name}`] = JSON.parse(readFileSync(join(folder, place, name, 'package.json'), 'utf8'));
  return found;
}

function check(changeset: string) {
  writeFileSync(join(folder, '.changeset/quick-owls.md'), changeset);
  return spawnSync(process.execPath, [CHECK], { cwd: folder, encoding: 'utf8' });
}

it('finds no fault in the changesets of this repository', () => {
  const { status, stderr } = spawnSync(process.execPath, [CHECK], { cwd: ROOT, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

it('accepts a changeset whose text begins an unreleased entry of the changelog, regardless of line breaks', () => {
  const { status, stderr } = check(CHANGESET);
  expect([status, stderr]).toEqual([0, '']);
});

it.each([
  ['without an entry in CHANGELOG.md', CHANGESET.replace('shorter', 'longer'), 'is not under "Unreleased"'],
  [
    'whose entry is that of an earlier version',
    "---\n'@legate/ids': patch\n---\n\n`@legate/ids`: an entry of before.\n",
    'is not under "Unreleased"',
  ],
  ['without text', "---\n'@legate/ids': minor\n---\n", 'has no text'],
  [
    'of a package that is not published',
    CHANGESET.replace('ids', 'service'),
    '@legate/service is not published',
  ],
  ['of a package that does not exist', CHANGESET.replace('ids', 'idz'), '@legate/idz is not published'],
  ['of a major version', CHANGESET.replace('minor', 'major'), 'before 1.0 a breaking change is minor'],
  ['without a version', CHANGESET.replace(': minor', ''), 'is not "package": minor'],
  ['without a list of packages', 'ids may be shorter', 'has no list of packages'],
])('refuses a changeset %s', (_case, changeset, fault) => {
  const { status, stderr } = check(changeset);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`.changeset/quick-owls.md: `)]);
  expect(stderr).toContain(fault);
});

describe('the next version', () => {
  let before: Manifests;
  beforeEach(() => {
    before = manifests();
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    writeFileSync(join(folder, '.changeset/quick-owls.md'), CHANGESET);
    execFileSync(process.execPath, [VERSION], { cwd: folder, stdio: 'ignore' });
  });

  it('is the same for all published packages, and for their dependencies on each other', () => {
    const published = Object.values(manifests()).filter((one) => !one.private);
    const [first] = published;
    const [major, minor] = (before['packages/ids']?.version ?? '').split('.').map(Number);
    expect(first?.version).toBe(`${major}.${(minor ?? 0) + 1}.0`);
    for (const { version, dependencies = {} } of published) {
      const ours = Object.entries(dependencies).filter(([name]) => name.startsWith('@legate/'));
      expect([version, ...ours.map(([, range]) => range)]).toEqual(
        Array.from({ length: ours.length + 1 }, () => first?.version),
      );
    }
  });

  it('is that of the private workspaces too, which services and images report', () => {
    const versions = Object.values(manifests()).map(({ version }) => version);
    expect(new Set(versions)).toEqual(new Set([manifests()['packages/ids']?.version]));
  });

  it('removes the changesets, writes no other changelog, and dates the unreleased section', () => {
    expect(readdirSync(join(folder, '.changeset'))).toEqual(['config.json']);
    expect(readdirSync(join(folder, 'packages/ids'))).toEqual(['package.json']);
    const { version } = manifests()['packages/ids'] ?? {};
    const today = new Date().toISOString().slice(0, 10);
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(
      CHANGELOG.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`),
    );
  });
});
