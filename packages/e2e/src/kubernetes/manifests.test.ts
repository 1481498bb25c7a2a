import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { needs, OLDEST_KUBECTL } from '@legate/testing';
import { parseAllDocuments } from 'yaml';
import { Manifest, renderKustomization } from './kustomize.ts';
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

it('finds faults in a manifest', () => {
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

const withKubectl = needs('night', 'kubectl');
withKubectl.describe('kubectl', () => {
  const rendered = (directory: string) => {
    const text = execFileSync(withKubectl.path.kubectl, ['kustomize', directory], { encoding: 'utf8' });
    return sorted(parseAllDocuments(text).map((document) => withoutHashes(Manifest.parse(document.toJS()))));
  };

  it.each(OVERLAYS)('renders %s as the other tests see it', (overlay) => {
    expect(rendered(`${INFRA}${overlay}`)).toEqual(sorted(render(overlay)));
  });

  it('renders production with the components for monitoring and tracing as the other tests see it', () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'legate-overlay-')));
    const path = (folder: string) => JSON.stringify(relative(directory, `${INFRA}${folder}`));
    writeFileSync(
      join(directory, 'kustomization.yaml'),
      `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [${path('overlays/production')}]
components: [${path('components/monitoring')}, ${path('components/tracing')}]
`,
    );
    try {
      const manifests = rendered(directory);
      expect(manifests).toEqual(sorted(renderKustomization(directory)));
      expect(manifests.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['ServiceMonitor', 'PrometheusRule']),
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

it('names in the guide the oldest kubectl that can render it', () => {
  expect(readFileSync(`${INFRA}../../docs/operations/kubernetes.md`, 'utf8')).toContain(
    `\`kubectl\` 1.${OLDEST_KUBECTL} or newer`,
  );
});

function sorted(manifests: readonly Manifest[]): Manifest[] {
  return [...manifests].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

/** kustomize includes the content in the name of a ConfigMap or Secret, so that a change causes a rollout. */
function withoutHashes(manifest: Manifest): Manifest {
  const json = JSON.stringify(manifest).replaceAll('\\n', manifest.kind === 'Secret' ? '' : '\\n'); // base64 in lines
  return Manifest.parse(JSON.parse(json.replace(/(?<=[a-z])-[bcdfghkm2456789t]{10}(?=")/g, '')));
}
