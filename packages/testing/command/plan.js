// Which tests the arguments of `npm test` select. Plain JavaScript, because `npm test` needs it to know what to build.
import { compile, PATTERNS, parseArguments } from './arguments.js';
import { hasNone, NothingToRun, notFound, searched } from './nothing-to-run.js';

/**
 * @typedef {object} Workspace
 * @property {string} name `@legate/jwt`
 * @property {string} folder `packages/jwt`
 * @property {string[]} dependencies names
 * @property {string[]} files test files, from the root
 * @property {{folder: string, path: string, title: string}} [elsewhere] the tests of another workspace that test this one
 *
 * @typedef {object} Job a run of Jest
 * @property {string} label
 * @property {string[]} folders workspaces
 * @property {string[] | undefined} files undefined: all
 * @property {string[]} args for Jest
 * @property {string | undefined} title the pattern of the tests' names
 */

/**
 * The workspace of the end-to-end tests. They start whole stacks, and take as long as all others together: they run one
 * after the other, in parallel with the other tests.
 */
const E2E = 'packages/e2e';
const INTEGRATION_TEST = /\.int\.test\.ts$/;
/** The workspace whose code reads the results of `npm test`. */
const ALWAYS_BUILT = '@legate/testing';

const WORKERS = /^(-w|--maxWorkers|-i|--runInBand)(=|$)/;

/**
 * @param {string[]} args
 * @param {Workspace[]} workspaces
 * @param {{workers: number}} options how many processes run tests
 * @returns {{jobs: Job[], build: string[]} | undefined} what to run, and what to build first; undefined: everything
 * @throws {NothingToRun}
 */
export function planTests(args, workspaces, { workers }) {
  if (args.length === 0) return undefined;
  const given = parseArguments(args);
  const eligible = given.unit ? workspaces.flatMap(withUnitTests) : workspaces;
  const named =
    given.words.length > 0 ? given.words.flatMap((word) => select(word, eligible, given)) : eligible;
  const chosen = given.dependents ? withDependents(named, eligible) : unite(named);
  const selection = given.patterns.length > 0 ? narrow(chosen, given) : chosen;
  const jobs = [
    ...jobsOf(selection, eligible, given, workers),
    // If all workspaces are tested, the tests in other workspaces run anyway.
    ...(given.words.length > 0
      ? selection.flatMap((each) => jobElsewhere(each, workspaces, given) ?? [])
      : []),
  ];
  if (jobs.length === 0) throw new NothingToRun(hasNone(selection, given));
  const built = new Set(jobs.flatMap(({ folders }) => folders));
  const build = workspaces.filter(({ folder }) => built.has(folder)).map(({ name }) => name);
  return { jobs, build: [...new Set([...build, ALWAYS_BUILT])] };
}

function withUnitTests(workspace) {
  if (workspace.folder === E2E || workspace.elsewhere) return [];
  return [{ ...workspace, files: workspace.files.filter((file) => !INTEGRATION_TEST.test(file)) }];
}

/** @returns {Workspace[]} the workspaces that a word names, or those with matching files, and only these files */
function select(word, workspaces, given) {
  const path = word.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  const named = workspaces.filter(
    ({ name, folder }) => name === path || folder === path || folder.endsWith(`/${path}`),
  );
  if (named.length > 0) return named;
  // A source file selects its tests: verifier.ts selects verifier.test.ts and verifier.algorithms.test.ts.
  const stem = /\.tsx?$/.test(path) && !path.endsWith('.test.ts') ? path.replace(/\.tsx?$/, '.') : undefined;
  const below = (file) => file === path || file.startsWith(`${path}/`);
  const isExact = workspaces.some(({ files }) => files.some(below));
  const matches = isExact ? below : (file) => file.includes(stem ?? path);
  const found = withFiles(workspaces, matches);
  if (found.length === 0) throw new NothingToRun(notFound(word, workspaces, given));
  return found;
}

const withFiles = (workspaces, matches) =>
  workspaces
    .map((workspace) => ({ ...workspace, files: workspace.files.filter(matches) }))
    .filter(({ files }) => files.length > 0);

/** Merges the selections of several words within a workspace. */
function unite(workspaces) {
  const merged = new Map();
  for (const workspace of workspaces) {
    const files = [...(merged.get(workspace.folder)?.files ?? []), ...workspace.files];
    merged.set(workspace.folder, { ...workspace, files: [...new Set(files)].sort() });
  }
  return [...merged.values()];
}

/** @returns the workspaces, and those that depend on them, directly or not; examples are tested by `packages/e2e` */
function withDependents(named, workspaces) {
  const names = new Set(named.map(({ name }) => name));
  for (const name of names)
    for (const workspace of workspaces) if (workspace.dependencies.includes(name)) names.add(workspace.name);
  return workspaces.filter(({ name, elsewhere }) => names.has(name) && !elsewhere);
}

/** @returns {Workspace[]} the workspaces whose test files match one of the patterns, with these files */
function narrow(workspaces, given) {
  const expressions = given.patterns.map((pattern) => compile(PATTERNS, pattern));
  const found = withFiles(workspaces, (file) => expressions.some((each) => each.test(file)));
  if (found.length === 0)
    throw new NothingToRun(
      `No test file of ${searched(workspaces)} matches ${PATTERNS} ${given.patterns.join(' ')}`,
    );
  return found;
}

/**
 * One job for the end-to-end tests, one for all others.
 * @returns {Job[]}
 */
function jobsOf(selection, eligible, given, workers) {
  const tested = selection.filter(({ files }) => files.length > 0);
  const parts = [
    tested.filter(({ folder }) => folder === E2E),
    tested.filter(({ folder }) => folder !== E2E),
  ].filter((part) => part.length > 0);
  return parts.map((part) => {
    const isComplete = part.every(({ folder, files }) => files.length === filesOf(folder, eligible).length);
    return {
      label: part.length === 1 ? part[0].folder : `${part.length} workspaces`,
      folders: part.map(({ folder }) => folder),
      files: isComplete ? undefined : part.flatMap(({ files }) => files),
      args: [
        ...(given.unit && isComplete ? [`--testPathIgnorePatterns=${INTEGRATION_TEST.source}`] : []),
        ...concurrency(part[0].folder === E2E || parts.length > 1 ? 1 : workers, given.jestArgs),
        ...given.jestArgs,
      ],
      title: given.title,
    };
  });
}

/** A workspace that is tested by some tests of another one */
function jobElsewhere({ folder, elsewhere }, workspaces, { jestArgs, title }) {
  if (!elsewhere) return undefined;
  const files = filesOf(elsewhere.folder, workspaces).filter((file) => file.includes(elsewhere.path));
  const args = [...concurrency(1, jestArgs), ...(title ? [] : ['-t', elsewhere.title]), ...jestArgs];
  return { label: folder, folders: [elsewhere.folder], files, args, title: title ?? elsewhere.title };
}

const filesOf = (folder, workspaces) => workspaces.find((each) => each.folder === folder)?.files ?? [];

/**
 * A process ends only after its keep-alive connections close, which takes some seconds; Jest warns after half a second.
 */
const concurrency = (workers, jestArgs) => {
  if (jestArgs.some((arg) => WORKERS.test(arg))) return [];
  return workers === 1 ? ['--runInBand'] : [`--maxWorkers=${workers}`, '--workerGracefulExitTimeout=10000'];
};
