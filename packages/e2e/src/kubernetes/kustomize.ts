import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments, parseDocument } from 'yaml';
import { z } from 'zod';

/** A Kubernetes resource, of which only the identifying fields are parsed. */
export const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type Manifest = z.output<typeof Manifest>;

const Generator = z.strictObject({
  name: z.string(),
  behavior: z.literal('merge').optional(),
  envs: z.array(z.string()).default([]),
  literals: z.array(z.string().regex(/^[A-Z0-9_]+=[^'"]*$/)).default([]),
  files: z.array(z.string()).default([]),
});

/**
 * Strict: features that are not rendered here must not be used, or the tests would check something other than what is
 * deployed.
 */
const Kustomization = z.strictObject({
  apiVersion: z.string().startsWith('kustomize.config.k8s.io/'),
  kind: z.enum(['Kustomization', 'Component']),
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  configMapGenerator: z.array(Generator).default([]),
  secretGenerator: z.array(Generator).default([]),
  patches: z
    .array(z.strictObject({ target: z.strictObject({ kind: z.string() }), patch: z.string() }))
    .default([]),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).default([]),
});

/**
 * Renders a folder like `kubectl kustomize`, for the few features that ours use, so that tests need no kubectl. Names
 * of generated ConfigMaps and Secrets have no hash suffix.
 * @throws {ZodError} for an unsupported feature
 */
export function renderKustomization(directory: string, given: readonly Manifest[] = []): Manifest[] {
  const file = readFileSync(join(directory, 'kustomization.yaml'), 'utf8');
  const it = Kustomization.parse(parseDocument(file, { strict: true }).toJS());
  let manifests = [...given, ...it.resources.flatMap((path) => readResource(join(directory, path)))];
  for (const generator of it.configMapGenerator)
    manifests = generate(directory, 'ConfigMap', generator, manifests);
  for (const generator of it.secretGenerator) manifests = generate(directory, 'Secret', generator, manifests);
  for (const path of it.components) manifests = renderKustomization(join(directory, path), manifests);
  for (const { target, patch } of it.patches) {
    const values: unknown = parseDocument(patch).toJS();
    manifests = manifests.map((one) => (one.kind === target.kind ? patched(one, values) : one));
  }
  return manifests.map((one) => inNamespace(withImages(one, it.images), it.namespace));
}

function readResource(path: string): Manifest[] {
  if (statSync(path).isDirectory()) return renderKustomization(path);
  const documents = parseAllDocuments(readFileSync(path, 'utf8'), { strict: true });
  return documents.flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join(', ')}`);
    return Manifest.parse(document.toJS());
  });
}

function generate(
  directory: string,
  kind: 'ConfigMap' | 'Secret',
  { name, behavior, envs, literals, files }: z.output<typeof Generator>,
  manifests: Manifest[],
): Manifest[] {
  const lines = [
    ...envs.flatMap((path) => readFileSync(join(directory, path), 'utf8').split('\n')),
    ...literals,
  ];
  const entries = lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  for (const file of files) {
    const [key = '', path = key] = file.includes('=') ? file.split('=') : [basename(file), file];
    entries.push([key, readFileSync(join(directory, path), 'utf8')]);
  }
  const data = Object.fromEntries(
    entries.map(([key, value]) => [key, kind === 'Secret' ? Buffer.from(value).toString('base64') : value]),
  );
  if (behavior === undefined) {
    const type = kind === 'Secret' ? { type: 'Opaque' } : {};
    return [...manifests, { apiVersion: 'v1', kind, metadata: { name }, data, ...type }];
  }
  if (!manifests.some((one) => one.kind === kind && one.metadata.name === name))
    throw new Error(`${directory}: there is no ${kind} ${name} to merge into`);
  return manifests.map((one) =>
    one.kind === kind && one.metadata.name === name ? merged(one, { data }) : one,
  );
}

/** The name in a patch for several is any. */
function patched(manifest: Manifest, patch: unknown): Manifest {
  return { ...merged(manifest, patch), metadata: manifest.metadata };
}

const merged = (manifest: Manifest, patch: unknown): Manifest => Manifest.parse(merge(manifest, patch));

/** A strategic merge without lists: how they merge depends on the schema. */
function merge(base: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) throw new Error('a patch with a list is not rendered here');
  if (!isRecord(base) || !isRecord(patch)) return patch;
  const entries = Object.entries(patch).map(([key, value]) => [key, merge(base[key], value)]);
  return { ...base, ...Object.fromEntries(entries) };
}

function withImages(manifest: Manifest, images: z.output<typeof Kustomization>['images']): Manifest {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const image = images.find(({ name }) => key === 'image' && `${member}`.split(':')[0] === name);
        return [key, image ? `${image.newName}:${image.newTag}` : replace(member)];
      }),
    );
  };
  return images.length === 0 ? manifest : Manifest.parse(replace(manifest));
}

function inNamespace(manifest: Manifest, namespace: string | undefined): Manifest {
  if (namespace === undefined) return manifest;
  const metadata = {
    ...manifest.metadata,
    ...(manifest.kind === 'Namespace' ? { name: namespace } : { namespace }),
  };
  return { ...manifest, metadata };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
