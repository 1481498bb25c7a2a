import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { INFRA, manifestsOf } from './overlays.ts';

/** Tests the roll-out script with a fake kubectl that records its arguments and returns results that the test sets. */

const FAKE_KUBECTL = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  *'get job'*) printf '%s' "$CONDITIONS" ;;
  *'get pods'*waiting.reason*) printf '%s' "$WAITING" ;;
  *'rollout status'*) exit "\${ROLLOUT:-0}" ;;
  *logs*) echo 'the last words of a pod' ;;
esac
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-roll-out-'));
  writeFileSync(join(folder, 'kubectl'), FAKE_KUBECTL);
  chmodSync(join(folder, 'kubectl'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

function rollOut(args: readonly string[], answers: Record<string, string> = {}) {
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const { status, stderr } = spawnSync(`${INFRA}roll-out`, args, {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: `${folder}:${process.env.PATH}`, CALLS: calls, ...answers },
  });
  return { status, stderr, calls: readFileSync(calls, 'utf8').trim().split('\n') };
}

it('applies the migration again, and waits for its Job', () => {
  const { status, calls } = rollOut(['migration', 'overlays/production/migration'], {
    CONDITIONS: 'SuccessCriteriaMet Complete',
  });
  expect([status, calls.slice(0, 2)]).toEqual([
    0,
    [
      '--namespace legate delete job management-api-migration --ignore-not-found',
      'apply -k overlays/production/migration',
    ],
  ]);
});

it.each([
  ['a Job that failed', { CONDITIONS: 'FailureTarget Failed' }, 'the migration has failed'],
  [
    'a pod without its Secret',
    { WAITING: 'CreateContainerConfigError' },
    'cannot start: CreateContainerConfig',
  ],
  ['an image that is not there', { WAITING: 'ImagePullBackOff' }, 'cannot start: ImagePullBackOff'],
])('exits with 1 at once for %s, and shows the log', (_case, answers, message) => {
  const { status, stderr } = rollOut(['migration', 'overlays/production/migration'], answers);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(stderr).toContain('the last words of a pod');
});

it('applies common resources before a service, and no other service', () => {
  const { status, calls } = rollOut(['management-api', 'overlays/production']);
  expect([status, calls]).toEqual([
    0,
    [
      'apply -k overlays/production --selector !app.kubernetes.io/name',
      'apply -k overlays/production --selector app.kubernetes.io/name=management-api',
      '--namespace legate rollout status deployment/management-api --timeout=10m',
    ],
  ]);
});

it('lists all services of production in its usage', () => {
  const names = manifestsOf('overlays/production').filter(({ kind }) => kind === 'Deployment');
  const { stderr } = rollOut([]);
  expect(/ (\S+) FOLDER/.exec(stderr)?.[1]?.split('|').sort()).toEqual(
    ['migration', ...names.map(({ metadata }) => metadata.name)].sort(),
  );
});

it('exits with 1 if a rollout does not complete', () => {
  const { status, stderr } = rollOut(['tool-hub', 'overlays/production'], { ROLLOUT: '1' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('tool-hub is not rolled out')]);
});

it.each([[[]], [['tool-hub']]])('exits with 2 for the arguments %j', (args) => {
  expect(rollOut(args).status).toBe(2);
});

it('finds each workload of production by its label, and none among common resources', () => {
  const workloads = manifestsOf('overlays/production').filter(({ kind }) =>
    /^(?:Deployment|Job|StatefulSet)$/.test(kind),
  );
  const labelled = workloads.map(({ metadata }) => Object(metadata.labels)['app.kubernetes.io/name']);
  expect(labelled).toEqual(workloads.map(({ metadata }) => metadata.name));
  expect(labelled.sort()).toEqual(['console', 'management-api', 'reference-mcp-server', 'tool-hub']);
});
