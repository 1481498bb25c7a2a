// Checks the changesets of the folder in which it runs: each names published packages, no major version before 1.0, and has
// its text in CHANGELOG.md, which is the one that people read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const FRONT_MATTER = /^---\n(.*?)\n---\n(.*)$/s;
const RELEASE = /^(['"])(.+)\1: (major|minor|patch)$/;

const published = findPublished();
const [, sinceRelease = ''] = read('CHANGELOG.md').split('\n## [Unreleased]\n');
const unreleased = onOneLine(sinceRelease.split('\n## ')[0]);
const faults = readdirSync('.changeset')
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .flatMap((name) => faultsOf(read(`.changeset/${name}`)).map((fault) => `.changeset/${name}: ${fault}`));
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;

function faultsOf(changeset) {
  const [, releases, text] = FRONT_MATTER.exec(changeset) ?? [];
  if (releases === undefined) return ['has no list of packages between two lines of ---'];
  const [summary] = text.trim().split(/\n\s*\n/);
  return [
    ...releases.split('\n').flatMap(faultsOfRelease),
    ...(summary === '' ? ['has no text'] : []),
    ...(unreleased.includes(onOneLine(summary))
      ? []
      : ['its first paragraph is not under "Unreleased" in CHANGELOG.md']),
  ];
}

function faultsOfRelease(line) {
  const [, , name, bump] = RELEASE.exec(line) ?? [];
  if (name === undefined) return [`"${line}" is not "package": minor`];
  const version = published.get(name);
  if (version === undefined) return [`${name} is not published`];
  return bump === 'major' && version.startsWith('0.')
    ? [`${name}: before 1.0 a breaking change is minor, not major`]
    : [];
}

/** Versions by name */
function findPublished() {
  const manifests = readdirSync('packages')
    .map((name) => `packages/${name}/package.json`)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(read(path)));
  return new Map(manifests.filter((one) => !one.private).map(({ name, version }) => [name, version]));
}

function read(path) {
  return readFileSync(path, 'utf8');
}

function onOneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}
