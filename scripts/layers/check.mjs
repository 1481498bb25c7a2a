#!/usr/bin/env node
// Compares the imports of all apps and packages with layers.mjs, and layers.mjs with its picture in ARCHITECTURE.md.
// check.mjs [--components] [--write] [--root FOLDER]
//   --components  prints, for each app and package, the largest group of folders that reach one another by imports
//   --write       writes the picture first
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import swc from '@swc/core';
import { cruise } from 'dependency-cruiser';
import { largestComponent } from './largest-component.mjs';
import { readPicture, render, writePicture } from './picture.mjs';
import { layerRules, otherRules, TESTS, whereIs, workspaces } from './rules.mjs';

const { values: options } = parseArgs({
  options: {
    components: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
  },
});
process.chdir(options.root);
readJsx();
const { LAYERS } = await import(pathToFileURL('layers.mjs').href);

if (options.write) writePicture(LAYERS);
const { modules, summary } = await cruiseSources();
const faults = [
  ...summary.violations.map(describe),
  ...workspaces().flatMap((place) => checkFolders(place, importsBetweenFolders(place))),
  ...(readPicture() === render(LAYERS)
    ? []
    : ['ARCHITECTURE.md shows other layers than layers.mjs: npm run layers']),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function cruiseSources() {
  const { output } = await cruise(
    workspaces().map((place) => `${place}/src`),
    {
      validate: true,
      ruleSet: { forbidden: [...layerRules(LAYERS), ...otherRules()] },
      parser: 'swc', // TypeScript 7 offers programs no parser
      doNotFollow: { path: ['node_modules', '/dist/'] },
    },
    // A package resolves to its sources, so that lint needs no build.
    { exportsFields: ['exports'], conditionNames: ['@legate/source', 'import', 'node', 'default'] },
  );
  return output;
}

/** dependency-cruiser has the parser read every file as TypeScript without JSX, and no option for another way. */
function readJsx() {
  const parse = swc.parseFileSync.bind(swc);
  swc.parseFileSync = (file, options) => parse(file, { ...options, tsx: file.endsWith('x') });
}

function describe({ rule, from, to, cycle }) {
  if (cycle) return `${[from, ...cycle.map(({ name }) => name)].join(' -> ')}: ${rule.name}`;
  if (rule.name === 'layers') return `${from} imports ${to}: layers.mjs lists that folder later`;
  return `${from} imports ${to}: ${rule.name}`;
}

/** @returns for each folder with sources, the folders of the same place that it imports */
function importsBetweenFolders(place) {
  const graph = new Map();
  for (const { source, dependencies } of modules) {
    if (whereIs(source).place !== place || TESTS.test(source)) continue;
    const { folder } = whereIs(source);
    const imported = dependencies.map(({ resolved }) => whereIs(resolved)).filter((to) => to.place === place);
    graph.set(folder, new Set([...(graph.get(folder) ?? []), ...imported.map((to) => to.folder)]));
  }
  return graph;
}

function checkFolders(place, graph) {
  const component = largestComponent(graph);
  if (options.components && graph.size > 1) {
    const names = component.length > 1 ? ` (${component.join(', ')})` : '';
    process.stdout.write(`${place}: ${graph.size} folders, largest component ${component.length}${names}\n`);
  }
  const listed = Object.keys(LAYERS[place] ?? { '*.ts': '' });
  const missing = [...graph.keys()].filter((folder) => !listed.includes(folder));
  const gone = listed.filter((folder) => !graph.has(folder));
  const knot = largestComponent(groupsOf(graph));
  return [
    ...(knot.length > 1 ? [`${place}: these groups of folders import one another: ${knot.join(', ')}`] : []),
    ...missing.map((folder) => `layers.mjs does not list ${folder} of ${place}`),
    ...gone.map((folder) => `layers.mjs lists ${folder} of ${place}, which holds no source`),
  ];
}

/** @returns the same for groups, such as `catalog`, which holds `catalog/sites` */
function groupsOf(graph) {
  const groupOf = (folder) => folder.split('/')[0];
  const groups = new Map();
  for (const [folder, imported] of graph) {
    const group = groupOf(folder);
    groups.set(group, new Set([...(groups.get(group) ?? []), ...[...imported].map(groupOf)]));
  }
  return groups;
}
