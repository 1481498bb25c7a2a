import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { Manifest } from './kustomize.ts';
import { INFRA, OVERLAYS, render } from './overlays.ts';
import { schemaFaults } from './schemas.ts';

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

describe.each(OVERLAYS)('%s', (overlay) => {
  it('is valid by the schemas of Kubernetes, and has no field that they do not know', () => {
    const faults = render(overlay).map((manifest) => [nameOf(manifest), schemaFaults(manifest)]);
    expect(faults.filter(([, found]) => found?.length)).toEqual([]);
  });

  it('names nothing twice', () => {
    const names = render(overlay).map(nameOf);
    expect(names.length).toBe(new Set(names).size);
  });

  it('puts everything into one namespace, which holds pods to the restricted profile', () => {
    for (const { kind, metadata } of render(overlay)) {
      if (kind === 'Namespace')
        expect(metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
      else expect(metadata.namespace).toBe('legate');
    }
    expect(render(overlay).filter(({ kind }) => kind === 'Namespace')).toHaveLength(1);
  });
});

it('finds what is wrong with a manifest', () => {
  const policy = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'a' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { a: 'b' } } },
  };
  expect(schemaFaults(policy)).toEqual([]);
  expect(schemaFaults({ ...policy, spec: { ...policy.spec, selectors: {} } })).toEqual(['/spec/selectors']);
  expect(schemaFaults({ ...policy, spec: { maxUnavailable: true } })).toEqual([
    expect.stringContaining('maxUnavailable'),
  ]);
  expect(schemaFaults({ ...policy, apiVersion: 'policy/v2' })).toEqual([
    'no schema of policy/v2 PodDisruptionBudget',
  ]);
});

it('contains no Secret for production', () => {
  for (const overlay of OVERLAYS.filter((name) => name.includes('production')))
    expect(render(overlay).filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

// The only reader of these folders that matters; a fresh machine does not have it.
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
if (hasKubectl) {
  it.each(OVERLAYS)('%s is rendered here as kubectl does', (overlay) => {
    const text = execFileSync('kubectl', ['kustomize', `${INFRA}${overlay}`], { encoding: 'utf8' });
    const real = parseAllDocuments(text).map((document) => Manifest.parse(document.toJS()));
    expect(sorted(real.map(withoutHashes))).toEqual(sorted(render(overlay)));
  });
}

function sorted(manifests: readonly Manifest[]): Manifest[] {
  return [...manifests].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

/** kustomize names a ConfigMap or Secret by its content, too, so that a change of it is a rollout. */
function withoutHashes(manifest: Manifest): Manifest {
  const json = JSON.stringify(manifest).replaceAll('\\n', manifest.kind === 'Secret' ? '' : '\\n'); // base64 in lines
  return Manifest.parse(JSON.parse(json.replace(/(?<=[a-z])-[bcdfghkm2456789t]{10}(?=")/g, '')));
}
