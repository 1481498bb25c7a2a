import { describe, expect, it } from '@jest/globals';

/** `npm test` needs these modules before anything is built, so they are JavaScript, and have no types. */
const { planTests } = await import(new URL('../command/plan.js', import.meta.url).href);

const workspace = (folder: string, dependencies: string[], files: string[], more: object = {}) => ({
  name: `@legate/${folder.split('/')[1]}`,
  folder,
  dependencies: dependencies.map((name) => `@legate/${name}`),
  files: files.map((file) => `${folder}/src/${file}`),
  ...more,
});

const WORKSPACES = [
  workspace(
    'apps/hub',
    ['delegation'],
    ['sign-in/renewal.test.ts', 'sign-in/start.int.test.ts', 'app.test.ts'],
  ),
  workspace('packages/delegation', ['jwt'], ['id-jag.test.ts']),
  workspace('packages/jwt', [], ['store.int.test.ts', 'verifier.algorithms.test.ts', 'verifier.test.ts']),
  workspace('packages/sample', ['jwt'], []),
  workspace('packages/e2e', ['hub', 'delegation'], ['agents.int.test.ts', 'examples/all.int.test.ts']),
  workspace('examples/express', ['jwt'], [], {
    elsewhere: { folder: 'packages/e2e', path: 'src/examples', title: 'express' },
  }),
];

interface Job {
  readonly folders: readonly string[];
  readonly files: readonly string[] | undefined;
  readonly args: readonly string[];
}
const plan = (...args: string[]): { jobs: Job[]; build: string[] } =>
  planTests(args, WORKSPACES, { workers: 2 });

const IN_TWO_PROCESSES = ['--maxWorkers=2', '--workerGracefulExitTimeout=10000'];

/** The files that run; a folder stands for all of its files. */
const selected = (...args: string[]) => plan(...args).jobs.flatMap(({ folders, files }) => files ?? folders);

it('runs everything without arguments', () => {
  expect(plan()).toBeUndefined();
});

describe('a name or a path', () => {
  it.each([
    ['the name of a workspace', ['jwt'], ['packages/jwt']],
    ['its full name', ['@legate/jwt'], ['packages/jwt']],
    ['its folder', ['packages/jwt'], ['packages/jwt']],
    ['its folder, as a shell completes it', ['./packages/jwt/'], ['packages/jwt']],
    ['a file', ['packages/jwt/src/verifier.test.ts'], ['packages/jwt/src/verifier.test.ts']],
    [
      'a source file',
      ['packages/jwt/src/verifier.ts'],
      ['packages/jwt/src/verifier.algorithms.test.ts', 'packages/jwt/src/verifier.test.ts'],
    ],
    [
      'a folder of a workspace',
      ['apps/hub/src/sign-in'],
      ['apps/hub/src/sign-in/renewal.test.ts', 'apps/hub/src/sign-in/start.int.test.ts'],
    ],
    ['a part of a path', ['renew'], ['apps/hub/src/sign-in/renewal.test.ts']],
    ['a part of several paths', ['i'], expect.arrayContaining(['packages/delegation/src/id-jag.test.ts'])],
    ['the folder of several workspaces', ['apps'], ['apps/hub']],
    ['several', ['jwt', 'delegation'], ['packages/jwt', 'packages/delegation']],
    ['a workspace and a file of it', ['jwt', 'verifier'], ['packages/jwt']],
    [
      'two files of a workspace',
      ['app.test.ts', 'renewal'],
      ['apps/hub/src/app.test.ts', 'apps/hub/src/sign-in/renewal.test.ts'],
    ],
  ])('may be %s', (_case, args, files) => {
    expect(selected(...args)).toEqual(files);
  });

  it('builds only the dependencies of the tests, and the code that reads their results', () => {
    expect(plan('jwt').build).toEqual(['@legate/jwt', '@legate/testing']);
    expect(plan('app.test.ts', 'id-jag').build).toEqual([
      '@legate/hub',
      '@legate/delegation',
      '@legate/testing',
    ]);
  });

  it('runs the tests of an example in the workspace that has them', () => {
    expect(plan('express').jobs).toMatchObject([
      {
        label: 'examples/express',
        folders: ['packages/e2e'],
        files: ['packages/e2e/src/examples/all.int.test.ts'],
        args: ['--runInBand', '-t', 'express'],
      },
    ]);
  });

  it('runs the end-to-end tests in parallel with the others', () => {
    expect(plan('e2e', 'jwt', 'delegation').jobs).toMatchObject([
      { label: 'packages/e2e', folders: ['packages/e2e'], args: ['--runInBand'] },
      { label: '2 workspaces', folders: ['packages/jwt', 'packages/delegation'], args: ['--runInBand'] },
    ]);
  });
});

describe('options', () => {
  it.each([
    [
      ['jwt', '-t', 'refuses'],
      [...IN_TWO_PROCESSES, '-t', 'refuses'],
    ],
    [
      ['-t', 'delegation', 'jwt'],
      [...IN_TWO_PROCESSES, '-t', 'delegation'],
    ],
    [
      ['jwt', '--verbose', '--seed=1'],
      [...IN_TWO_PROCESSES, '--verbose', '--seed=1'],
    ],
    [
      ['jwt', '-w', '4'],
      ['-w', '4'],
    ],
    [['jwt', '--runInBand'], ['--runInBand']],
  ])('%j go to Jest', (args, jestArgs) => {
    expect(plan(...args).jobs).toMatchObject([{ folders: ['packages/jwt'], args: jestArgs }]);
  });

  it.each([
    [['--testPathPatterns', 'SIGN-IN/re|id-']],
    [['--testPathPatterns=sign-in/re', '--testPathPatterns=id-']],
  ])('%j select by expressions, in each workspace that has a match', (args) => {
    expect(selected(...args)).toEqual([
      'apps/hub/src/sign-in/renewal.test.ts',
      'packages/delegation/src/id-jag.test.ts',
    ]);
  });

  it('selects by expressions within the named workspaces', () => {
    expect(selected('jwt', '--testPathPatterns', 'store|id-jag')).toEqual([
      'packages/jwt/src/store.int.test.ts',
    ]);
  });
});

describe('--dependents', () => {
  it('adds all that depend on a workspace, directly or not', () => {
    expect(selected('--dependents', 'jwt')).toEqual([
      'packages/e2e',
      'apps/hub',
      'packages/delegation',
      'packages/jwt',
    ]);
  });

  it('takes the workspace of a file', () => {
    expect(selected('id-jag.test.ts', '--dependents')).toEqual([
      'packages/e2e',
      'apps/hub',
      'packages/delegation',
    ]);
  });
});

describe('--unit', () => {
  it('leaves out integration and end-to-end tests', () => {
    const { jobs } = plan('--unit');
    expect(jobs).toMatchObject([{ folders: ['apps/hub', 'packages/delegation', 'packages/jwt'] }]);
    expect(jobs[0]?.args).toEqual(['--testPathIgnorePatterns=\\.int\\.test\\.ts$', ...IN_TWO_PROCESSES]);
  });

  it('leaves them out of named workspaces', () => {
    expect(selected('--unit', 'sign-in')).toEqual(['apps/hub/src/sign-in/renewal.test.ts']);
  });
});

describe('nothing to run', () => {
  it('reports what was searched, and similar names', () => {
    expect(() => plan('jtw')).toThrow(
      [
        'No workspace and no test file matches "jtw".',
        'Searched: the names and folders of 6 workspaces, and the paths of 9 files of tests.',
        'Closest: jwt',
        'What can be selected: npm test -- --help',
      ].join('\n'),
    );
  });

  it.each([
    ['a file', ['packages/jwt/src/verifer.test.ts'], 'Closest: packages/jwt/src/verifier.test.ts'],
    ['a folder', ['hub/sign-in'], 'Closest: hub/src/sign-in'],
    ['nothing that there is', ['zzzzz'], 'The workspaces: hub, delegation, jwt, sample, e2e, express'],
    ['one of several', ['jwt', 'delegatoin'], 'Closest: delegation'],
    ['the value of an option', ['--color', 'never'], 'If it is the value of --color, write --color=never'],
    [
      'an expression',
      ['--testPathPatterns', 'nothing'],
      'No test file of 6 workspaces matches --testPathPatterns nothing',
    ],
    ['what is no expression', ['-t', '('], '-t: Invalid regular expression'],
    ['an option without its value', ['-t'], "-t needs a value: npm test -- jwt -t 'refuses'"],
    ['--dependents of nothing', ['--dependents'], '--dependents needs the name of a workspace'],
    [
      'a workspace without tests',
      ['sample'],
      'No tests in packages/sample. Those of what depends on it: npm test -- --dependents sample',
    ],
    ['integration tests among unit tests', ['--unit', 'e2e'], 'No workspace and no test file matches "e2e"'],
  ])('refuses %s', (_case, args, message) => {
    expect(() => plan(...args)).toThrow(message);
  });
});
