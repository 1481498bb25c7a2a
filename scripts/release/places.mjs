// Where this repository names its version and its public address, apart from prose.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Manifests of all workspaces and of the root, by path below `root` */
export function findManifests(root) {
  const folders = ['apps', 'packages', 'examples'].flatMap((place) =>
    existsSync(join(root, place)) ? readdirSync(join(root, place)).map((name) => `${place}/${name}`) : [],
  );
  const paths = ['package.json', ...folders.map((folder) => `${folder}/package.json`)];
  return new Map(
    paths
      .filter((path) => existsSync(join(root, path)))
      .map((path) => [path, JSON.parse(readFileSync(join(root, path), 'utf8'))]),
  );
}

/** Files that name the version beside a manifest, with a pattern whose first group stands before it */
const VERSIONED = [
  ['infra/docker/Dockerfile', /(\nARG VERSION=)([\w.-]+)/g],
  ...[
    'base/console/deployment.yaml',
    'base/management-api/deployment.yaml',
    'base/migration/job.yaml',
    'base/reference-mcp-server/deployment.yaml',
    'base/tool-hub/deployment.yaml',
    'components/mock-idp/deployment.yaml',
  ].map((path) => [`infra/kubernetes/${path}`, /(image: legate\/[a-z-]+:)([\w.-]+)/g]),
  ['infra/kubernetes/overlays/production/images/kustomization.yaml', /(newTag: )([\w.-]+)/g],
  ['docs/operations/containers.md', /(legate\/(?:tool-hub|management-api|\$app):|VERSION=)(\d[\w.-]+)/g],
  ['docs/operations/kubernetes.md', /(legate\/(?:\$service|\{service\}):)([\w.-]+)/g],
];

/** @returns where the repository names a version, and which */
export function findVersions(root) {
  const inManifests = [...findManifests(root)].flatMap(([path, { version, dependencies = {} }]) => [
    { path, version },
    ...Object.entries(dependencies)
      .filter(([name, range]) => name.startsWith('@legate/') && range !== '*')
      .map(([name, range]) => ({ path: `${path}, ${name}`, version: range })),
  ]);
  const inOthers = VERSIONED.filter(([path]) => existsSync(join(root, path))).flatMap(([path, pattern]) => {
    const found = [...readFileSync(join(root, path), 'utf8').matchAll(pattern)];
    if (found.length === 0) return [{ path, version: 'none' }];
    return found.map(([, , version]) => ({ path, version }));
  });
  return [...inManifests, ...inOthers];
}

/** Writes a version wherever the repository names one. */
export function writeVersion(root, version) {
  for (const path of findManifests(root).keys())
    edit(join(root, path), (text) =>
      text
        .replace(/("version": ")[^"]*/, `$1${version}`)
        .replace(/("@legate\/[a-z-]+": ")\d[^"]*/g, `$1${version}`),
    );
  for (const [path, pattern] of VERSIONED)
    if (existsSync(join(root, path))) edit(join(root, path), (text) => text.replace(pattern, `$1${version}`));
}

/** The members of a manifest that say where the repository is: of npm's form, with a folder for a package */
export function addressMembers(url, folder) {
  const repository = { type: 'git', url: `git+${url}.git`, ...(folder && { directory: folder }) };
  const homepage = folder ? `${url}/tree/main/${folder}#readme` : `${url}#readme`;
  return { homepage, bugs: `${url}/issues`, repository };
}

/** The address that the root's manifest names, without npm's prefix and suffix; undefined: none */
export const addressOf = (manifest) => /^git\+(https:\/\/.+)\.git$/.exec(manifest.repository?.url ?? '')?.[1];

/** A name that is reserved for examples (RFC 2606): the owner has not chosen an address yet. */
export const isPlaceholder = (url) => /^[^/]+\.example$/.test(new URL(url).host);

/** Manifests that name the address: the root's and those of the published packages */
export const addressed = (root) =>
  [...findManifests(root)].filter(
    ([path, manifest]) => path === 'package.json' || (path.startsWith('packages/') && !manifest.private),
  );

export const folderOf = (path) =>
  path === 'package.json' ? undefined : path.slice(0, -'/package.json'.length);

export function edit(path, change) {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after !== before) writeFileSync(path, after);
}
