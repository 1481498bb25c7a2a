// Why a release of a checkout would fail.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { notesIn } from './notes.mjs';
import { addressOf, findManifests, findVersions, isPlaceholder } from './places.mjs';

export function findObstacles(root) {
  const main = findManifests(root).get('package.json');
  const address = addressOf(main);
  const changesets = existsSync(join(root, '.changeset'))
    ? readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md')
    : [];
  return [
    ...(address === undefined || isPlaceholder(address)
      ? ['The repository has no public address: npm run repository -- https://github.com/<owner>/<name>']
      : []),
    ...(notesIn(root, main.version)?.date === undefined
      ? [`CHANGELOG.md has no heading "## [${main.version}] - <date>"`]
      : []),
    ...(changesets.length > 0
      ? [`Changes are in no version yet, by ${changesets.join(', ')}: merge "Version packages"`]
      : []),
    ...findVersions(root)
      .filter(({ version }) => version !== main.version)
      .map(({ path, version }) => `${path}: version ${version}, and package.json has ${main.version}`),
    ...(execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) === ''
      ? []
      : ['There are changes that are not committed']),
  ];
}
