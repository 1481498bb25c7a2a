import { readdirSync, readFileSync } from 'node:fs';

/** A test script that runs tests of another workspace: `npm test --prefix <folder> -- --testPathPatterns <path> -t <name>` */
const ELSEWHERE = /^npm test --prefix \.\.\/\.\.\/(\S+) -- --testPathPatterns (\S+) -t (\S+)$/;

/**
 * Lists the workspaces below the working directory, with their test files.
 * @returns {import('./plan.js').Workspace[]}
 */
export function findWorkspaces() {
  return readJson('package.json').workspaces.flatMap((glob) => {
    const parent = glob.replace(/\/\*$/, '');
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => readWorkspace(`${parent}/${entry.name}`) ?? []);
  });
}

function readWorkspace(folder) {
  const manifest = readJson(`${folder}/package.json`);
  if (!manifest) return undefined;
  const [, testedBy, path, title] = ELSEWHERE.exec(manifest.scripts?.test ?? '') ?? [];
  return {
    name: manifest.name,
    folder,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
    files: manifest.scripts?.test?.startsWith('jest ') ? findTests(folder).sort() : [],
    ...(testedBy && { elsewhere: { folder: testedBy, path, title } }),
  };
}

/** Finds the files that `testMatch` of Jest's configurations matches. */
const findTests = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : findTests(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (err) {
    if (err.code === 'ENOENT') return undefined;
    throw err;
  }
}
