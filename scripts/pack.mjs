// npm run pack: tarballs of the published packages, to install in a project of yours before the first release.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { findPublished, root, run, withDependencies } from './packages/published.mjs';

const HELP = `npm run pack -- <folder> [package...]   writes the packages and those of ours that they need as tarballs

  npm run pack -- ~/legate @legate/tool-server
  npm run pack -- ~/legate                all packages

It builds what has changed first. Then, in your project: npm install ~/legate/*.tgz
`;

const [folder, ...names] = process.argv.slice(2);
const published = new Map(findPublished().map((each) => [each.manifest.name, each]));
const unknown = names.filter((name) => !published.has(name));
if (folder === undefined || folder.startsWith('-') || unknown.length > 0) {
  process.stderr.write(
    unknown.map((name) => `${name} is not a package: ${[...published.keys()].join(', ')}\n`).join(''),
  );
  process.stderr.write(HELP);
  process.exit(2);
}

const wanted = new Set(
  (names.length > 0 ? names : [...published.keys()]).flatMap((name) => [
    ...withDependencies(name, published),
  ]),
);
// biome-ignore lint/suspicious/noUndeclaredEnvVars: npm sets it to the folder where the command was typed
const target = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
mkdirSync(target, { recursive: true });
await run('npm', ['run', '--silent', 'build', '--', ...[...wanted].map((name) => `--filter=${name}`)], {
  cwd: root,
});
for (const name of wanted) {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', target], {
    cwd: published.get(name).folder,
  });
  process.stdout.write(`${target}/${stdout.trim().split('\n').at(-1)}\n`);
}
