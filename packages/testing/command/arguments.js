import { NothingToRun } from './nothing-to-run.js';

export const USAGE = `npm test                                every test
npm test -- jwt                         the tests of a workspace, by its name or its folder; several are possible
npm test -- apps/tool-hub/src/sign-in   the test files that have this in their path; several are possible
npm test -- --dependents jwt            the tests of a workspace, and of all that depend on it
npm test -- jwt -t 'refuses'            the tests with this in their title; other options of Jest work, too
npm run test:unit -- jwt                only the tests that need neither network nor stores
`;

export const PATTERNS = '--testPathPatterns';
/** Options of Jest whose value may be the next argument. After any other option, an argument is a name or a path. */
const WITH_VALUE = new Set([
  '-t',
  '--testNamePattern',
  '-w',
  '--maxWorkers',
  '--reporters',
  '--seed',
  '--shard',
  '--testPathIgnorePatterns',
  '--testTimeout',
]);

/**
 * @typedef {object} Arguments
 * @property {string[]} words names of workspaces, and parts of paths
 * @property {string[]} patterns of `--testPathPatterns`
 * @property {string[]} jestArgs
 * @property {string | undefined} flag the last option of Jest that was taken for one without a value
 * @property {string | undefined} title value of `-t`
 * @property {boolean} dependents
 * @property {boolean} unit
 */

/**
 * @param {string[]} args
 * @returns {Arguments}
 * @throws {NothingToRun}
 */
export function parseArguments(args) {
  const given = { words: [], patterns: [], jestArgs: [], dependents: false, unit: false };
  const rest = args.flatMap((arg) => (arg.startsWith(`${PATTERNS}=`) ? splitOption(arg) : [arg]));
  let flag;
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--dependents') given.dependents = true;
    else if (arg === '--unit') given.unit = true;
    else if (arg === PATTERNS) given.patterns.push(rest.shift() ?? '');
    else if (!arg.startsWith('-')) given.words.push(arg);
    else if (WITH_VALUE.has(arg)) given.jestArgs.push(arg, ...rest.splice(0, 1));
    else {
      given.jestArgs.push(arg);
      if (!arg.includes('=')) flag = arg;
    }
  }
  if (given.dependents && given.words.length === 0)
    throw new NothingToRun('--dependents needs the name of a workspace: npm test -- --dependents jwt');
  return { ...given, flag, title: findTitle(given.jestArgs) };
}

/** @returns the pattern of the tests' names */
function findTitle(jestArgs) {
  const at = jestArgs.findIndex((arg) => /^(-t|--testNamePattern)(=|$)/.test(arg));
  if (at < 0) return undefined;
  const [option, title = jestArgs[at + 1]] = splitOption(jestArgs[at]);
  if (title === undefined) throw new NothingToRun(`${option} needs a value: npm test -- jwt -t 'refuses'`);
  compile(option, title);
  return title;
}

const splitOption = (arg) =>
  arg.includes('=') ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg];

/** @returns the expression that Jest makes of a pattern */
export function compile(option, pattern) {
  try {
    return new RegExp(pattern, 'i');
  } catch (err) {
    throw new NothingToRun(`${option}: ${err.message}`);
  }
}
