import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { INFRA, kustomizationOf, manifestsOf, OVERLAYS, readManifests } from './overlays.ts';

const FILES = readdirSync(INFRA, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
  .sort();

it.each(FILES)('%s is YAML, and names what it describes', (file) => {
  expect(readManifests(file)).not.toEqual([]);
});

it.each(OVERLAYS)(
  '%s puts everything into one namespace, which holds pods to the restricted profile',
  (overlay) => {
    expect(kustomizationOf(overlay).namespace).toBe('legate');
    const namespaces = manifestsOf(overlay).filter(({ kind }) => kind === 'Namespace');
    expect(namespaces.map(({ metadata }) => metadata)).toEqual([
      expect.objectContaining({
        name: 'legate',
        labels: expect.objectContaining({ 'pod-security.kubernetes.io/enforce': 'restricted' }),
      }),
    ]);
  },
);

it('contains no Secret for production', () => {
  for (const overlay of OVERLAYS.filter((name) => name.includes('production'))) {
    expect(manifestsOf(overlay).filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(kustomizationOf(overlay).secretGenerator).toEqual([]);
  }
});

it.each(['kubernetes', 'docker', 'observability'])(
  'infra/%s/check names the program that it lacks',
  (folder) => {
    const { status, stderr } = spawnSync('/bin/bash', [`${INFRA}../${folder}/check`], {
      encoding: 'utf8',
      env: { PATH: '' },
    });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^missing: \w+ \(https:\S+\)$/m)]);
  },
);
