import { type Profiler, Session } from 'node:inspector';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import express, { type Express } from 'express';
import { createManagementApiRegistry } from './connectors/management-api-registry.ts';
import { createConnectorRegistry } from './domain/registry.ts';
import { callWhoami } from './testing/call-whoami.ts';
import { createScene, type Scene } from './testing/scene.ts';

/** Maximum number of files, because a reader who follows a call opens each of them. */
const MAX_FILES = 20;
const SRC = new URL('.', import.meta.url).href;

let scene: Scene;
let inspector: Session;
beforeEach(async () => {
  scene = await createScene();
  inspector = new Session();
  inspector.connect();
  inspector.post('Profiler.enable');
  inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterEach(async () => {
  inspector.disconnect(); // also stops the coverage
  await scene.stop();
});

/** Returns the files whose functions were called since the last time. */
function filesCalled(): readonly string[] {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  inspector.post('Profiler.takePreciseCoverage', (err, { result }) => {
    if (err) throw err;
    scripts = result;
  });
  return scripts
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => (url.startsWith(SRC) ? url.slice(SRC.length) : ''))
    .filter((file) => file !== '' && !file.startsWith('testing/') && !file.includes('.test.'))
    .sort();
}

/** Creates a hub as in a deployment, with connectors from management-api */
function hubWithManagementApi(): Express {
  const { connector, clock } = scene;
  const connectors = createConnectorRegistry([connector]).of(connector.organizationId);
  const registry = createManagementApiRegistry({
    fetchOrganization: async () => ({ kind: 'found', connectors: await connectors, etag: '"1"' }),
    clock,
    log: createLogger({ service: 'test', level: 'silent' }),
    onEvent: () => undefined,
  });
  return scene.replica({ registry });
}

it(`a call with cached data uses at most ${MAX_FILES} files of the hub until its response is sent`, async () => {
  const hub = hubWithManagementApi();
  let files: readonly string[] = [];
  const observed = express().use((_req, res, next) => {
    filesCalled(); // discards earlier calls
    res.once('prefinish', () => {
      files = filesCalled();
    });
    next();
  }, hub);
  const alice = await scene.idTokenOf('user_alice');
  for (const _call of ['cold', 'warm']) expect(await callWhoami(observed, alice)).toBe(200);
  expect(files).toContain('faces/api/tool-call-route.ts');
  expect(files.length > MAX_FILES ? files : []).toEqual([]);
});
