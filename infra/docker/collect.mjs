// Copies what the final stage of an image needs out of a pruned repository, and nothing else:
//   node collect.mjs dependencies <repository> <out>   every node_modules, installed without development dependencies
//   node collect.mjs workspaces <repository> <out>     package.json and its `files` of each workspace, built
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [what, repository = '', out = ''] = process.argv.slice(2);

/** Sources, what leads back to them, tests and their help, and what npm needs to install or start a program. */
const UNNEEDED =
  /\.[cm]?tsx?$|\.map$|\.tsbuildinfo$|\.(test|spec)\.[cm]?js$|\/dist\/testing$|\/\.bin$|\/\.package-lock\.json$/;
/** The embedded database, which is refused in production: 29 MB. */
const EMBEDDED = /\/node_modules\/@electric-sql$/;

const workspaces = ['apps', 'packages'].flatMap((folder) =>
  existsSync(join(repository, folder))
    ? readdirSync(join(repository, folder)).map((name) => join(repository, folder, name))
    : [],
);

function copy(path) {
  if (!existsSync(path)) return;
  cpSync(path, join(out, relative(repository, path)), {
    recursive: true,
    verbatimSymlinks: true, // the workspaces in node_modules, which move along
    filter: (source) => !UNNEEDED.test(source) && !EMBEDDED.test(source),
  });
}

if (what === 'dependencies') {
  for (const folder of [repository, ...workspaces]) copy(join(folder, 'node_modules'));
} else if (what === 'workspaces') {
  for (const folder of workspaces) {
    const { files = [] } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const file of ['package.json', ...files]) copy(join(folder, file));
  }
} else throw new Error('node collect.mjs dependencies|workspaces <repository> <out>');
