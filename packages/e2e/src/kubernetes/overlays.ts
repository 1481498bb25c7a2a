import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@legate/dev';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

/**
 * Reads the source files of `infra/kubernetes`. The output of kustomize (names with a hash, namespace, images, patches)
 * and the validity of fields are tested by `infra/kubernetes/check`, with the tools that deploy the files.
 */
export const INFRA = fileURLToPath(new URL('../../../../infra/kubernetes/', import.meta.url));

/** Every folder that is applied to a cluster directly. */
export const OVERLAYS = [
  'overlays/development',
  'overlays/production',
  'overlays/production/migration',
] as const;

/** The services of Legate and where they listen by default. */
export const PORTS = {
  'management-api': 4000,
  'tool-hub': 4001,
  'mock-idp': 4002,
  'reference-mcp-server': 4003,
  console: 4004,
} as const satisfies Record<ServiceName, number>;
export const isService = (name: string): name is ServiceName => name in PORTS;

export const METRICS_PORT = 9464;
export const SECRETS_FOLDER = '/run/secrets/legate';

/** A Kubernetes resource, of which only the identifying fields are parsed. */
const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type Manifest = z.output<typeof Manifest>;

const Generator = z.object({
  name: z.string(),
  envs: z.array(z.string()).default([]),
  literals: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
});
const Kustomization = z.object({
  namespace: z.string().optional(),
  resources: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  configMapGenerator: z.array(Generator).default([]),
  secretGenerator: z.array(Generator).default([]),
});

export const kustomizationOf = (folder: string) =>
  Kustomization.parse(parse(readFileSync(join(INFRA, folder, 'kustomization.yaml'), 'utf8')));

/** A folder, preceded by those that it is built on */
function foldersOf(folder: string): string[] {
  const { resources, components } = kustomizationOf(folder);
  const below = [...resources, ...components].map((path) => join(folder, path)).filter(isFolder);
  return [...below.flatMap(foldersOf), folder];
}
const isFolder = (path: string) => statSync(join(INFRA, path)).isDirectory();

const read = new Map<string, readonly Manifest[]>();

export function manifestsOf(overlay: string): readonly Manifest[] {
  const manifests = read.get(overlay) ?? foldersOf(overlay).flatMap(manifestsIn);
  read.set(overlay, manifests);
  return manifests;
}

function manifestsIn(folder: string): Manifest[] {
  const paths = kustomizationOf(folder).resources.map((path) => join(folder, path));
  return paths.filter((path) => !isFolder(path)).flatMap(readManifests);
}

/** @throws {YAMLParseError} */
export const readManifests = (path: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(INFRA, path), 'utf8')).map((document) => {
    for (const error of document.errors) throw error;
    return Manifest.parse(document.toJS());
  });

/**
 * The entries of the ConfigMap or Secret of this name, which kustomize creates from files: an overlay's take precedence
 * over its base's.
 */
export function generatedOf(overlay: string, kind: 'configMap' | 'secret', name: string): Entries {
  const entries = foldersOf(overlay).flatMap((folder) =>
    kustomizationOf(folder)
      [`${kind}Generator`].filter((generator) => generator.name === name)
      .flatMap(({ envs, literals, files }) => [
        ...envs.flatMap((path) => readFileSync(join(INFRA, folder, path), 'utf8').split('\n')).map(split),
        ...literals.map(split),
        ...files.map((file): [string, string] => {
          const [key, path] = file.includes('=') ? split(file) : [basename(file), file];
          return [key, readFileSync(join(INFRA, folder, path), 'utf8')];
        }),
      ]),
  );
  return Object.fromEntries(entries.filter(([key]) => key !== '' && !key.startsWith('#')));
}
type Entries = Record<string, string>;

const split = (line: string): [string, string] => [
  line.replace(/=.*/s, ''),
  line.slice(line.indexOf('=') + 1),
];
