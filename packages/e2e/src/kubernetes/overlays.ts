import { fileURLToPath } from 'node:url';
import type { ServiceName } from '@legate/dev';
import { type Manifest, renderKustomization } from './kustomize.ts';

export const INFRA = fileURLToPath(new URL('../../../../infra/kubernetes/', import.meta.url));

/** Every folder that is applied to a cluster as it is. */
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

const rendered = new Map<string, readonly Manifest[]>();

export function render(overlay: string): readonly Manifest[] {
  const manifests = rendered.get(overlay) ?? renderKustomization(`${INFRA}${overlay}`);
  rendered.set(overlay, manifests);
  return manifests;
}
