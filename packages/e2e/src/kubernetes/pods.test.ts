import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { createHealth } from '@legate/service';
import express from 'express';
import { z } from 'zod';
import {
  generatedOf,
  isService,
  kustomizationOf,
  METRICS_PORT,
  manifestsOf,
  OVERLAYS,
  PORTS,
} from './overlays.ts';
import { containerOf, manifestOf, type Pod, podsOf } from './workloads.ts';

/** Services whose requests may be tool calls, and have 60 seconds to finish; those of others have 10. */
const WAIT_FOR_TOOLS = new Set(['tool-hub', 'console']);
/** Time for closing the stores after the grace period: `run-service.ts`. */
const CLOSE_SECONDS = 5;
/** Time limit of a service's readiness check: `health.ts`. */
const CHECK_SECONDS = 1;

/** Requirements of the Pod Security Standards, profile `restricted`, and our additional ones. */
function faultsOf(pod: Pod): string[] {
  const { securityContext, containers, volumes } = pod.spec;
  const faults = ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers'].filter((field) => field in pod.spec);
  if (securityContext.runAsNonRoot !== true || !securityContext.runAsUser) faults.push('may run as root');
  if (securityContext.seccompProfile?.type !== 'RuntimeDefault') faults.push('seccomp');
  if (pod.spec.automountServiceAccountToken !== false) faults.push('has a token of the Kubernetes API');
  for (const { securityContext: own, volumeMounts, ports } of containers) {
    if (own.privileged || own.allowPrivilegeEscalation !== false) faults.push('privileges');
    if (own.runAsUser !== undefined) faults.push('a user of its own');
    if (own.capabilities?.drop.join() !== 'ALL' || own.capabilities.add.length > 0)
      faults.push('capabilities');
    if (own.readOnlyRootFilesystem !== true) faults.push('writable root');
    if (!volumeMounts.some(({ mountPath }) => mountPath === '/tmp')) faults.push('no /tmp');
    if (ports.some(({ containerPort }) => containerPort < 1024)) faults.push('a port of the privileged');
  }
  for (const volume of volumes)
    if (!volume.secret && !volume.configMap && !volume.emptyDir) faults.push(`volume ${volume.name}`);
  return faults;
}

describe.each(OVERLAYS)('%s', (overlay) => {
  const pods = [...podsOf(overlay)];

  it.each(pods)('%s has no more rights than it needs', (_name, pod) => {
    expect(faultsOf(pod)).toEqual([]);
  });

  it.each(pods)('%s has the name that selectors use', (name, pod) => {
    expect(pod.metadata.labels).toMatchObject({
      'app.kubernetes.io/name': name,
      'app.kubernetes.io/part-of': 'legate',
    });
    const selecting = manifestsOf(overlay).filter(
      ({ kind, metadata }) =>
        metadata.name === name && ['Deployment', 'Service', 'PodDisruptionBudget'].includes(kind),
    );
    for (const { spec } of selecting)
      expect(JSON.stringify(spec)).toMatch(
        new RegExp(`"selector":({"matchLabels":)?{"app.kubernetes.io/name":"${name}"}`),
      );
  });

  it.each(pods)('%s mounts each volume, and the Secret that is named like it', (name, pod) => {
    const { volumeMounts } = containerOf(pod);
    expect(volumeMounts.map((mount) => mount.name).sort()).toEqual(
      pod.spec.volumes.map((one) => one.name).sort(),
    );
    for (const { secret } of pod.spec.volumes) if (secret) expect(secret.secretName).toBe(name);
  });
});

describe.each(['overlays/development', 'overlays/production'])('%s: the service', (overlay) => {
  const services = [...podsOf(overlay)].filter(([name]) => isService(name));

  it.each(services)('%s listens where the Service and its probes expect it', (name, pod) => {
    const { ports } = containerOf(pod);
    const settings = generatedOf(overlay, 'configMap', name);
    const port = isService(name) ? PORTS[name] : undefined;
    expect(ports).toEqual([
      { name: 'http', containerPort: port },
      { name: 'metrics', containerPort: METRICS_PORT },
    ]);
    expect(settings).toMatchObject({ PORT: `${port}`, METRICS_PORT: `${METRICS_PORT}`, HOST: '0.0.0.0' });
    expect(manifestOf(overlay, 'Service', name)?.spec).toMatchObject({
      ports: [
        { name: 'http', port, targetPort: 'http' },
        { name: 'metrics', port: METRICS_PORT, targetPort: 'metrics' },
      ],
    });
  });

  it.each(services)('%s is asked for its health patiently, and where it answers', async (_name, pod) => {
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(pod);
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
      expect(probe?.httpGet?.port).toBe('http');
      expect((await fetch(`${health}${probe?.httpGet?.path}`)).status).toBe(200);
    }
    expect(livenessProbe?.httpGet?.path).toBe('/healthz'); // an unavailable store must not restart the service
    expect(readinessProbe?.httpGet?.path).toBe('/readyz');
    expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(CHECK_SECONDS);
  });

  it.each(services)('%s has time to finish running requests', (name, pod) => {
    const delay = Number(generatedOf(overlay, 'configMap', name).SHUTDOWN_DELAY_SECONDS);
    const grace = WAIT_FOR_TOOLS.has(name) ? 60 : 10;
    expect(delay).toBeGreaterThanOrEqual(5);
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + grace + CLOSE_SECONDS);
  });

  it.each(services)('%s may be scaled and drained', (name) => {
    expect(manifestOf(overlay, 'PodDisruptionBudget', name)?.spec).toMatchObject({
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow', // an unavailable store must not prevent the draining of nodes
    });
    expect(manifestOf(overlay, 'HorizontalPodAutoscaler', name)?.spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name },
      minReplicas: name === 'mock-idp' ? 1 : 2,
    });
    expect(manifestOf(overlay, 'Deployment', name)?.spec).not.toHaveProperty('replicas');
  });
});

describe.each(['overlays/development', 'overlays/production'])('%s: the replicas', (overlay) => {
  const services = [...podsOf(overlay)].filter(([name]) => isService(name));

  it.each(services)('of %s are spread, including those of a new version', (name, pod) => {
    const apart = (topologyKey: string) => ({
      topologyKey,
      maxSkew: 1,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
      matchLabelKeys: ['pod-template-hash'],
    });
    expect(pod.spec.topologySpreadConstraints).toEqual([
      apart('topology.kubernetes.io/zone'),
      apart('kubernetes.io/hostname'),
    ]);
  });
});

it('runs the migration with the image of the service', () => {
  const imageOf = (overlay: string, name: string) => {
    const pod = podsOf(overlay).get(name);
    return pod && containerOf(pod).image;
  };
  const image = imageOf('overlays/production', 'management-api');
  expect(image).toMatch(/\/management-api:/);
  expect(imageOf('overlays/production/migration', 'management-api-migration')).toBe(image);
  // Both images come from this component
  expect(kustomizationOf('overlays/production').components).toContain('images');
  expect(kustomizationOf('overlays/production/migration').components).toContain('../images');
});

/** The paths that each service has for others than the services, in the order of the documents and the manifests */
const PUBLIC_PATHS = {
  'management-api': ['/api', '/onboarding', '/errors'],
  'tool-hub': ['/api', '/mcp', '/oauth', '/connect', '/.well-known', '/errors'],
  'reference-mcp-server': ['/mcp', '/oauth', '/.well-known', '/errors'],
  console: ['/'], // has no internal paths
} as const;

it('routes from outside to all public paths of the services, and to no other', () => {
  const backend = z.looseObject({ service: z.looseObject({ name: z.string() }) });
  const paths = z.array(z.looseObject({ path: z.string(), backend }));
  const Rules = z.looseObject({
    rules: z.array(z.looseObject({ http: z.looseObject({ paths }) })),
  });
  const spec = Rules.parse(manifestOf('overlays/production', 'Ingress', 'legate')?.spec);
  const routed: Record<string, string[]> = {};
  for (const { path, backend } of spec.rules.flatMap(({ http }) => http.paths)) {
    const { name } = backend.service;
    expect(backend.service).toEqual({ name, port: { name: 'http' } });
    routed[name] = [...(routed[name] ?? []), path];
  }
  expect(routed).toEqual(PUBLIC_PATHS);
});

it('lists the public paths for operators of other proxies', () => {
  const page = readFileSync(`${ROOT}docs/operations/production.md`, 'utf8');
  const [, listed = ''] = /^- \*\*Public paths\*\*: (.+?); all of the console/m.exec(page) ?? [];
  const { console: _all, ...others } = PUBLIC_PATHS;
  expect(listed.split(';').map((part) => [...part.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path))).toEqual(
    Object.values(others),
  );
});

it.each(['management-api', 'tool-hub'] as const)('counts each mount of %s as public or internal', (name) => {
  const app = readFileSync(`${ROOT}apps/${name}/src/app.ts`, 'utf8');
  const mounted = [...app.matchAll(/app\.use\('([^']+)'/g)].map(([, path]) => path);
  expect(mounted).not.toEqual([]);
  expect(PUBLIC_PATHS[name]).toEqual(expect.arrayContaining(mounted));
});

let server: Server;
let health: string;
beforeAll(async () => {
  server = createServer(express().use(createHealth({ checks: {} }).router));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  health = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
