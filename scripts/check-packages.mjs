// Packs each package that is published, and checks the tarballs: their files, manifests and types, and that they install,
// run and compile in projects of those who use them (docs/releasing.md). `npm run check:packages`, after a build.
// The file SUM_FILE gets the numbers, as of a test run. `--offline` installs nothing, and leaves these projects out; `--nodes`
// is a folder in which Node.js 22 and 24 are installed as `.ci/nightly` installs them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { checkImports, checkManifest, checkTypes, linkDependencies } from './packages/checks.mjs';
import { checkExamples } from './packages/examples.mjs';
import { createNodes, projectTasks } from './packages/projects.mjs';
import { findPublished, pack } from './packages/published.mjs';
import { summarize } from './packages/report.mjs';

const TASKS_AT_A_TIME = 3;

const work = mkdtempSync(`${tmpdir()}/legate-packages-`);
try {
  const { values } = parseArgs({
    options: { nodes: { type: 'string' }, offline: { type: 'boolean', default: false } },
  });
  const { output, errors, numbers } = summarize(await check(values), process.env.CI === 'true');
  process.stdout.write(output);
  process.stderr.write(errors);
  if (process.env.SUM_FILE) writeFileSync(process.env.SUM_FILE, JSON.stringify(numbers));
  if (numbers.failed > 0) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function check({ nodes, offline }) {
  const packages = new Map(findPublished().map((each) => [each.manifest.name, each]));
  const packed = await all([...packages.values()].map((each) => () => packOne(each)));
  if (packed.some(({ faults }) => faults.length > 0)) return packed;
  for (const each of packages.values()) linkDependencies(each, work);
  // What takes longest comes first.
  const others = await all([
    ...(offline ? [] : [() => checkExamples(packages, work)]),
    ...(offline ? [] : projectTasks(packages, work, createNodes(work, nodes)).reverse()),
    ...[...packages.values()].map((each) => () => checkOne(each)),
  ]);
  return [...packed, ...others.flat()];
}

async function packOne(each) {
  const title = `${each.manifest.name}: files`;
  try {
    const { tarball, bytes, faults } = await pack(each, work);
    each.tarball = tarball;
    return { title, faults, printed: `${(bytes / 1000).toFixed(1)} kB` };
  } catch (error) {
    return { title, faults: [error.stderr || String(error)] };
  }
}

async function checkOne(each) {
  const { manifest, tarball } = each;
  return [
    { title: `${manifest.name}: publint`, faults: await checkManifest(tarball) },
    ...(manifest.exports
      ? [
          { title: `${manifest.name}: types`, faults: await checkTypes(tarball) },
          { title: `${manifest.name}: imports`, faults: await checkImports(each, work) },
        ]
      : []),
  ];
}

/** Runs tasks, a few at a time, and returns their results in order. */
async function all(tasks) {
  const results = [];
  const waiting = [...tasks.entries()];
  const next = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) results[task[0]] = await task[1]();
  };
  await Promise.all(Array.from({ length: TASKS_AT_A_TIME }, next));
  return results;
}
