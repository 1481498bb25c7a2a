// What layers.mjs asks for, as rules of dependency-cruiser, with the rules that hold between apps and packages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The name that layers.mjs has for the files beside the folders of a place. */
const FILES = '*.ts';
export const TESTS = /\.test\.tsx?$|\/src\/.*\btesting\//;
/** Entry points of packages that are not only for services. */
const WITHOUT_EXPRESS = '^packages/(delegation|mcp-client|transaction-tokens)/src/index.ts$';
const WORKSHOP = '^packages/(bench|dev|e2e|mutation|testing|tool-server-testing)/';

/** The pages of an app, which run in a browser: a place of their own, beside its `src`. */
const PAGES = 'web';

/** @returns the apps, their pages, the packages and the examples, as `apps/tool-hub` and `apps/console/web` */
export const workspaces = () =>
  ['apps', 'packages', 'examples']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .flatMap((place) => [place, `${place}/${PAGES}`])
    .filter((place) => existsSync(`${place}/src`))
    .sort();

/** @returns where a source file stands: `{ place: 'apps/tool-hub', folder: 'mcp' }`, with `*.ts` for a file beside the folders */
export function whereIs(path) {
  const [, place, folder] =
    /^((?:apps|packages|examples)\/[^/]+(?:\/web)?)\/src\/(?:(.+)\/)?[^/]+$/.exec(path) ?? [];
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
  const workspace = '^((?:apps|packages|examples)/[^/]+)/';
  const rule = (name, from, to) => ({ name, severity: 'error', from, to });
  return [
    rule(
      'apps meet over HTTP, and packages do not know them',
      { path: workspace, pathNot: '^packages/e2e/' },
      { path: '^apps/', pathNot: '^$1/' },
    ),
    rule(
      'pages run in a browser, and meet their process over HTTP',
      { path: '^apps/[^/]+/(src|web)/' },
      { path: '^apps/[^/]+/(src|web)/', pathNot: '^apps/[^/]+/$1/' },
    ),
    rule(
      'a package is imported through the entry points that its package.json exports',
      { path: workspace },
      { path: '^packages/', pathNot: ['^$1/', ...entryPoints()] },
    ),
    rule(
      'an example imports what is published, and nothing of another example',
      { path: '^(examples/[^/]+)/' },
      { path: ['^packages/', '^examples/'], pathNot: ['^$1/', ...published()] },
    ),
    rule(
      'helpers of tests are imported by tests alone',
      { pathNot: [TESTS.source, WORKSHOP] },
      { path: [TESTS.source, '^packages/(tool-server-)?testing/'], pathNot: 'node_modules/' },
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

const published = () =>
  workspaces()
    .filter((place) => place.startsWith('packages/'))
    .filter((place) => !JSON.parse(readFileSync(`${place}/package.json`, 'utf8')).private)
    .map((place) => `^${place}/`);

const entryPoints = () =>
  workspaces()
    .filter((place) => place.startsWith('packages/'))
    .flatMap((place) =>
      Object.values(JSON.parse(readFileSync(`${place}/package.json`, 'utf8')).exports ?? {})
        .flatMap((entry) => entry['@legate/source'] ?? []) // `./package.json` is no module
        .map((source) => `^${place}/${source.replace('./', '')}$`),
    );
