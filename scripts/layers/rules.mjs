// What layers.mjs asks for, as rules of dependency-cruiser, with the rules that hold between apps and packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** In layers.mjs: the files beside the folders of a place. */
const FILES = '*.ts';
export const TESTS = /\.test\.ts$|\/src\/.*\btesting\//;
/** Entry points of packages that are not only for services. */
const WITHOUT_EXPRESS = '^packages/(delegation|mcp-client|transaction-tokens)/src/index.ts$';
const WORKSHOP = '^packages/(bench|dev|e2e|mutation|testing)/';

/** @returns the apps and packages, as `apps/tool-hub` */
export const workspaces = () =>
  ['apps', 'packages']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .filter((place) => existsSync(`${place}/src`))
    .sort();

/** @returns where a source file stands: `{ place: 'apps/tool-hub', folder: 'mcp' }`, with `*.ts` for a file beside the folders */
export function whereIs(path) {
  const [, place, folder] = /^((?:apps|packages)\/[^/]+)\/src\/(?:(.+)\/)?[^/]+$/.exec(path) ?? [];
  return { place, folder: folder ?? FILES };
}

/** A folder imports none that is listed after it. */
export function layerRules(layers) {
  return Object.entries(layers).flatMap(([place, folders]) => {
    const paths = Object.keys(folders).map((folder) => pathOf(place, folder));
    return paths.slice(0, -1).map((path, index) => ({
      name: 'layers',
      severity: 'error',
      from: { path, pathNot: TESTS.source },
      to: { path: paths.slice(index + 1), pathNot: TESTS.source },
    }));
  });
}

function pathOf(place, folder) {
  if (place === 'packages') return `^packages/${folder}/`;
  return folder === FILES ? `^${place}/src/[^/]+$` : `^${place}/src/${folder}/[^/]+$`;
}

export function otherRules() {
  const workspace = '^((?:apps|packages)/[^/]+)/';
  const rule = (name, from, to) => ({ name, severity: 'error', from, to });
  return [
    rule(
      'apps meet over HTTP, and packages do not know them',
      { path: workspace, pathNot: '^packages/e2e/' },
      { path: '^apps/', pathNot: '^$1/' },
    ),
    rule(
      'a package is imported through the entry points that its package.json exports',
      { path: workspace },
      { path: '^packages/', pathNot: ['^$1/', ...entryPoints()] },
    ),
    rule(
      'helpers of tests are imported by tests alone',
      { pathNot: [TESTS.source, WORKSHOP] },
      { path: [TESTS.source, '^packages/testing/'], pathNot: 'node_modules/' },
    ),
    rule(
      'it runs without Express',
      { path: WITHOUT_EXPRESS },
      { path: 'node_modules/express/', reachable: true },
    ),
    rule('files do not import one another in a circle', {}, { circular: true }),
    rule('what is imported exists', {}, { couldNotResolve: true }),
  ];
}

const entryPoints = () =>
  workspaces()
    .filter((place) => place.startsWith('packages/'))
    .flatMap((place) =>
      Object.values(JSON.parse(readFileSync(`${place}/package.json`, 'utf8')).exports ?? {})
        .flatMap((entry) => entry['@legate/source'] ?? []) // `./package.json` is no module
        .map((source) => `^${place}/${source.replace('./', '')}$`),
    );
