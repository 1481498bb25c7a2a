import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { INFRA, PORTS, render } from './overlays.ts';

/** The files of the production overlay that a cluster may have in the place of others. */

const read = (file: string): unknown[] =>
  parseAllDocuments(readFileSync(`${INFRA}overlays/production/${file}`, 'utf8')).map((document) =>
    document.toJS(),
  );

const Route = z.strictObject({
  apiVersion: z.literal('gateway.networking.k8s.io/v1'),
  kind: z.literal('HTTPRoute'),
  metadata: z.object({ name: z.string() }),
  spec: z.strictObject({
    parentRefs: z.array(z.strictObject({ name: z.string(), namespace: z.string() })).length(1),
    hostnames: z.tuple([z.string()]),
    rules: z.tuple([
      z.strictObject({
        matches: z.array(
          z.strictObject({ path: z.strictObject({ type: z.literal('PathPrefix'), value: z.string() }) }),
        ),
        backendRefs: z.tuple([
          z.strictObject({
            name: z.enum(['management-api', 'tool-hub', 'reference-mcp-server', 'console']),
            port: z.number(),
          }),
        ]),
        timeouts: z.strictObject({ request: z.string() }).optional(),
      }),
    ]),
  }),
});
const Ingress = z.object({
  spec: z.object({
    rules: z.array(
      z.object({
        host: z.string(),
        http: z.object({
          paths: z.array(
            z.object({
              path: z.string(),
              pathType: z.literal('Prefix'),
              backend: z.object({ service: z.object({ name: z.string() }) }),
            }),
          ),
        }),
      }),
    ),
  }),
});
const ExternalSecret = z.strictObject({
  apiVersion: z.literal('external-secrets.io/v1'),
  kind: z.literal('ExternalSecret'),
  metadata: z.object({ name: z.string() }),
  spec: z.strictObject({
    refreshInterval: z.string(),
    secretStoreRef: z.strictObject({ kind: z.literal('ClusterSecretStore'), name: z.string() }),
    target: z.strictObject({ name: z.string() }),
    dataFrom: z.array(z.strictObject({ extract: z.strictObject({ key: z.string() }) })),
  }),
});

it('opens the same paths by the Gateway API as by the Ingress', () => {
  const byRoutes = z
    .array(Route)
    .parse(read('http-routes.yaml'))
    .flatMap(({ spec }) =>
      spec.rules[0].matches.map(({ path }) => [
        spec.hostnames[0],
        path.value,
        spec.rules[0].backendRefs[0].name,
      ]),
    );
  const byIngress = Ingress.parse(read('ingress.yaml')[0]).spec.rules.flatMap(({ host, http }) =>
    http.paths.map(({ path, backend }) => [host, path, backend.service.name]),
  );
  expect(byRoutes).toEqual(byIngress);
});

it('leads routes to the ports of the services', () => {
  for (const { spec } of z.array(Route).parse(read('http-routes.yaml'))) {
    const [{ name, port }] = spec.rules[0].backendRefs;
    expect(port).toBe(PORTS[name]);
  }
});

it('makes each Secret that a pod mounts from the entry of the vault that has its name', () => {
  const made = z.array(ExternalSecret).parse(read('external-secrets.yaml'));
  const mounted = ['overlays/production', 'overlays/production/migration']
    .flatMap((overlay) => JSON.stringify(render(overlay)).match(/"secretName":"[^"]+"/g) ?? [])
    .map((match) => JSON.parse(`{${match}}`).secretName)
    .filter((name) => name !== 'legate-tls'); // by cert-manager, or yours
  expect(made.map(({ spec }) => spec.target.name).sort()).toEqual([...new Set(mounted)].sort());
  for (const { metadata, spec } of made)
    expect([spec.target.name, spec.dataFrom[0]?.extract.key]).toEqual([
      metadata.name,
      `legate/${metadata.name}`,
    ]);
});
