// Checks that the folder in which it runs names one version, and one public address, wherever it names them.
import { isDeepStrictEqual } from 'node:util';
import { addressed, addressMembers, addressOf, findManifests, findVersions, folderOf } from './places.mjs';

const root = process.cwd();
const main = findManifests(root).get('package.json');
const url = addressOf(main);
const faults = [
  ...findVersions(root)
    .filter(({ version }) => version !== main.version)
    .map(({ path, version }) => `${path}: version ${version}, and package.json has ${main.version}`),
  ...(url === undefined
    ? ['package.json: repository.url is not git+https://….git']
    : addressed(root).flatMap(([path, manifest]) =>
        Object.entries(addressMembers(url, folderOf(path)))
          .filter(([member, value]) => !isDeepStrictEqual(manifest[member], value))
          .map(([member]) => `${path}: ${member} does not fit package.json: npm run repository -- ${url}`),
      )),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
